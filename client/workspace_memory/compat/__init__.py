"""Clients with the methods and answers of other memory products, so that changing an import is enough."""
