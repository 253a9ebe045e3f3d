"""The database engine: django-rls on PostgreSQL, with every app's tables in a schema of its own."""
