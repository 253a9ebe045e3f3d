"""Programs that remember with other products, to measure them next to our own."""
