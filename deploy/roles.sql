-- What the embedded PostgreSQL gets by itself, for one that you run. As a superuser (or the administrator of a managed server):
--   psql -v owner_password=… -v app_password=… -f deploy/roles.sql postgres

-- Migrates and owns the tables. It may make databases (for tests), and never passes row security: the tables FORCE it.
CREATE ROLE wsm_owner LOGIN NOSUPERUSER NOBYPASSRLS CREATEDB PASSWORD :'owner_password';
-- Web and worker. `manage.py migrate` gives it SELECT, INSERT, UPDATE and DELETE on the tables,
-- EXECUTE on the functions of its own schemas, and nothing else.
CREATE ROLE wsm_app LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB PASSWORD :'app_password';

CREATE DATABASE wsm OWNER wsm_owner TEMPLATE template0 ENCODING 'UTF8';
\connect wsm

-- Managed servers let their administrator create these; vector needs pgvector 0.8 or newer for its iterative scans.
CREATE EXTENSION IF NOT EXISTS vector;
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;
CREATE EXTENSION IF NOT EXISTS unaccent;

-- Under row security the planner uses a full-text index only if the operator's function is marked leakproof: it sees
-- rows of other workspaces before the policy has hidden them, so it must not tell about them by errors or notices.
-- These do not. Only a superuser can mark them; where the provider refuses, leave this part out. Search then filters by
-- workspace first and compares its rows one by one: the same results, and slower in workspaces of more than some
-- ten thousand memories (measured at 60,000: 21 ms instead of 0.6 ms).
ALTER FUNCTION pg_catalog.ts_match_vq(tsvector, tsquery) LEAKPROOF;
ALTER FUNCTION pg_catalog.textlike(text, text) LEAKPROOF;
ALTER FUNCTION pg_catalog.texticlike(text, text) LEAKPROOF;
ALTER FUNCTION similarity_op(text, text) LEAKPROOF;
ALTER FUNCTION word_similarity_op(text, text) LEAKPROOF;
ALTER FUNCTION word_similarity_commutator_op(text, text) LEAKPROOF;

-- Large objects belong to the role that creates them, under no policy, and the product has none: only a superuser makes them. Where the provider
-- refuses it, leave this part out as well.
DO $$
DECLARE large_object regprocedure;
BEGIN
    FOR large_object IN
        SELECT oid FROM pg_proc
         WHERE pronamespace = 'pg_catalog'::regnamespace
           AND proname IN ('lo_creat', 'lo_create', 'lo_from_bytea', 'lo_open', 'lo_put', 'lowrite', 'lo_unlink')
    LOOP
        EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', large_object);
    END LOOP;
END
$$;
