-- Lets people who are signed in to a Supabase project read their own memory with its clients. Run it once, as the owner
-- of the schema, after the store was opened for the first time; running it again changes nothing.
--
-- A person's name in Relembra has to be their id in Supabase (`auth.uid()`), and the tenant `default`. They read and no
-- more: whatever is written has to keep terms, counts and vectors in step, so it goes through Relembra.

DO $$
DECLARE
  named TEXT;
BEGIN
  GRANT USAGE ON SCHEMA relembra TO authenticated;
  FOREACH named IN ARRAY ARRAY['conversation', 'message', 'note', 'item', 'case_file', 'audit', 'run', 'stored_view']
  LOOP
    EXECUTE format('DROP POLICY IF EXISTS signed_in ON relembra.%I', named);
    EXECUTE format(
      'CREATE POLICY signed_in ON relembra.%I FOR SELECT TO authenticated'
      ' USING (tenant = ''default'' AND owner = (SELECT auth.uid())::text)', named
    );
    -- Whatever else they may get to say in their session: no other policy shows them more.
    EXECUTE format('DROP POLICY IF EXISTS signed_in_alone ON relembra.%I', named);
    EXECUTE format(
      'CREATE POLICY signed_in_alone ON relembra.%I AS RESTRICTIVE FOR SELECT TO authenticated'
      ' USING (tenant = ''default'' AND owner = (SELECT auth.uid())::text)', named
    );
    EXECUTE format('GRANT SELECT ON relembra.%I TO authenticated', named);
  END LOOP;
END
$$;
