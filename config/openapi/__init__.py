"""The OpenAPI document: what every REST door takes and answers."""
