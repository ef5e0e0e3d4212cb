/** The rooms of `npm run mutants`: what is changed in each, and the tests that must notice. */

export type Room = {
  readonly name: string;
  readonly about: string;
  /** The sources that are changed: globs, those that begin with `!` taken away. */
  readonly sources: readonly string[];
  /** The tests that must notice: globs. */
  readonly tests: readonly string[];
  /** The sources that tests import while they run. They are loaded first: see load-sources.ts. */
  readonly importedLate?: readonly string[];
  /** The least score, in percent. */
  readonly wanted: number;
};

/** Code that tests alone use. */
const NO_TESTS = ['!**/*.test.ts', '!**/testing/**', '!**/testing*.ts'];

export const rooms: readonly Room[] = [
  {
    name: 'protocol',
    about: 'envelope, pipeline, fields, methods, errors, matching, clock',
    // The requirement rows are sentences for the reader; `npm run docs -- --check` tests them.
    sources: ['protocol/{limits,methods/*,time/*,wire/**/*}.ts', ...NO_TESTS],
    tests: ['protocol/**/*.test.ts'],
    wanted: 95,
  },
  {
    name: 'ehr-server',
    about: 'methods and rules of the EHR server, its stores in memory and on SQLite',
    sources: [
      'ehr-server/methods/**/*.ts',
      'ehr-server/{handle,match-patient,new-session,patient-reply,record-id,verify-cred}.ts',
      'ehr-server/database/read-transaction.ts',
      'ehr-server/store/*.ts',
      'ehr-server/store/sqlite/**/*.ts',
      ...NO_TESTS,
    ],
    // Without those that start processes or a PostgreSQL: they take long and run other code.
    tests: [
      'ehr-server/{audit,guessing,handle,http,matching}.test.ts',
      'ehr-server/database/read-transaction.test.ts',
      'ehr-server/limits/rate-limits.test.ts',
      'ehr-server/methods/**/*.test.ts',
      'ehr-server/store/*.test.ts',
      'ehr-server/store/sqlite/**/*.test.ts',
    ],
    importedLate: ['ehr-server/store/open-sqlite-store.ts'],
    wanted: 95,
  },
  {
    name: 'ehr-postgres',
    about: 'store of the EHR server on PostgreSQL',
    sources: ['ehr-server/store/postgres/*.ts', ...NO_TESTS],
    tests: ['ehr-server/store/*.test.ts', 'ehr-server/store/postgres/*.test.ts'],
    importedLate: ['ehr-server/store/postgres/store.ts'],
    wanted: 95,
  },
  {
    name: 'auth-server',
    about: 'methods, rules and store of the mock authorization server',
    sources: [
      'mock-auth-server/methods/**/*.ts',
      'mock-auth-server/{handle,sign-in,users,verify-cred}.ts',
      'mock-auth-server/{ehr,otp,outbox}/*.ts',
      'mock-auth-server/store/**/*.ts',
      ...NO_TESTS,
    ],
    tests: ['mock-auth-server/**/*.test.ts'],
    importedLate: ['mock-auth-server/store/sqlite/store.ts'],
    wanted: 95,
  },
  {
    name: 'client-flow',
    about: 'state machine of the client',
    sources: ['mock-client/flow/*.ts', ...NO_TESTS],
    tests: ['mock-client/flow/*.test.ts'],
    wanted: 95,
  },
  {
    name: 'checks',
    about: 'checks of an authorization server, with the sample of the self-test',
    sources: ['conformance/roles/auth-server/{flows,rules}/**/*.ts', ...NO_TESTS],
    tests: [
      'conformance/roles/auth-server/checks.test.ts',
      'conformance/roles/auth-server/{flows,rules}/**/*.test.ts',
      'conformance/roles/auth-server/self-test/*.test.ts',
    ],
    wanted: 90,
  },
];
