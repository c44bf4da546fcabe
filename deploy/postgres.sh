#!/bin/sh
# Run by the image of PostgreSQL when it makes its folder: a role that owns one database and is no superuser. It may
# create roles, so that Relembra makes the one it works as.
set -eu
psql --username postgres --set ON_ERROR_STOP=1 <<'SQL'
\getenv password POSTGRES_APP_PASSWORD
CREATE ROLE relembra LOGIN CREATEROLE PASSWORD :'password';
CREATE DATABASE relembra OWNER relembra;
SQL
