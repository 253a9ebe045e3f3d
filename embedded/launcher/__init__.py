"""What `make run` does: environment, servers, migrations, demo data, web and worker, and a clean end."""
