#!/bin/sh
# The database image runs this once, on an empty volume.
exec psql -v ON_ERROR_STOP=1 -U postgres -v owner_password="$OWNER_PASSWORD" -v app_password="$APP_PASSWORD" -f /wsm/roles.sql postgres
