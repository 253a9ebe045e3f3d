"""The embedding queue: which rows wait for a vector, and turns in which every workspace gets them."""
