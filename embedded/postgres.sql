-- Runs as superuser in template1, which test databases are copied from, and in the product's database.

-- Extensions that only a superuser may create.
CREATE EXTENSION IF NOT EXISTS vector;
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;
CREATE EXTENSION IF NOT EXISTS unaccent;

-- Under row-level security the planner uses an index only for operators that cannot leak what they see.
-- These compare and tell nothing else: no errors or notices that depend on the row.
ALTER FUNCTION pg_catalog.ts_match_vq(tsvector, tsquery) LEAKPROOF;
ALTER FUNCTION pg_catalog.textlike(text, text) LEAKPROOF;
ALTER FUNCTION pg_catalog.texticlike(text, text) LEAKPROOF;
ALTER FUNCTION similarity_op(text, text) LEAKPROOF;
ALTER FUNCTION word_similarity_op(text, text) LEAKPROOF;
ALTER FUNCTION word_similarity_commutator_op(text, text) LEAKPROOF;

-- Large objects belong to the role that creates them, under no policy, and the product has none: only a superuser makes them.
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
