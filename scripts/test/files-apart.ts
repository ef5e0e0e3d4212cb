/** Test files that run in a process each: their mocked modules would reach the files that come after. */
export const FILES_APART: readonly string[] = [
  // Mock a module.
  'service/http/pages.test.ts',
  'ehr-server/store/sqlite/checkpointer.test.ts',
  // Plays everything on a right server: the kit leaves steps out where the machine has too much to do.
  'conformance/roles/auth-server/checks.test.ts',
];
