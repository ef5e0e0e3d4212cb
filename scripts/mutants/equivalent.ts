/** Mutants that no test can notice, because the program that they make behaves as the right one does. */

export type Equivalent = {
  readonly file: string;
  /** The line where the mutant begins, without its indentation. */
  readonly line: string;
  /** The code that was changed, white space folded; absent: any of that line. */
  readonly code?: string;
  /** What stands there instead; absent: anything. */
  readonly replacement?: string;
  readonly because: string;
};

export const equivalents: readonly Equivalent[] = [
  {
    file: 'mock-client/flow/ending.ts',
    line: "const part = origin.at === 'identify' && origin.ehrSession === 'none' ? 'auth' : 'ehr';",
    code: "origin.at === 'identify'",
    replacement: 'true',
    because: 'for the compiler: no other step has an ehrSession',
  },
  {
    file: 'mock-client/flow/ending.ts',
    line: "if (failure.kind !== 'refused' || !SESSION_GONE_CODES.includes(failure.code))",
    code: "failure.kind !== 'refused'",
    replacement: 'false',
    because: 'for the compiler: only a refusal has a code',
  },
  {
    file: 'protocol/wire/json.ts',
    line: '} catch {',
    replacement: '{}',
    because: 'a function that ends without return returns undefined',
  },
  {
    file: 'protocol/wire/wire-guard.ts',
    line: 'if (!(error instanceof RpcError)) throw error;',
    because: 'for the compiler: readCalls throws nothing but RpcError',
  },
  {
    file: 'mock-client/flow/record.ts',
    line: "if (event.type !== 'replied' || event.method !== 'auth.report_link') return stay(model);",
    code: "event.type !== 'replied'",
    replacement: 'false',
    because: 'for the compiler: only a reply has a method',
  },
  {
    file: 'mock-client/flow/snapshot.ts',
    line: 'switch (origin?.at) {',
    code: 'origin?.at',
    replacement: 'origin.at',
    because: 'for the compiler: what has no origin has its EHR part done, and does not come here',
  },
  {
    file: 'mock-auth-server/ehr/ehr-client.ts',
    line: "const timeout = deadline(clock, config.ehrTimeout, new Error('The EHR server took too long.'));",
    replacement: '""',
    because: 'the reason of the abort is read by nobody: ehr_timeout takes its place',
  },
  {
    file: 'mock-auth-server/store/sqlite/codes.ts',
    line: 'return seq - (oldestAlive.get(sentAt)?.seq ?? seq);',
    code: 'oldestAlive.get(sentAt)?.seq',
    replacement: 'oldestAlive.get(sentAt).seq',
    because: 'for the compiler: the code that was just put is alive',
  },
  {
    file: 'protocol/wire/matching.ts',
    line: 'calendar.getUTCFullYear() === year && calendar.getUTCMonth() === month - 1 && calendar.getUTCDate() === day;',
    code: 'calendar.getUTCFullYear() === year',
    replacement: 'true',
    because: 'a day that is not in the calendar lands in another month, whatever its year',
  },
  {
    file: 'protocol/wire/wire-guard.ts',
    line: 'if (!isObject(given) || !isObject(known)) return [];',
    because: 'what the schema of a result lets through stays the object, or the value, that it was',
  },
  {
    file: 'ehr-server/verify-cred.ts',
    line: "const NOBODY: Caller = { link: { user: '', patientId: '', userSign: '' }, tokenHash: NO_TOKEN };",
    because: 'methods that take no credentials read nothing of their caller',
  },
  {
    file: 'protocol/time/clock.ts',
    line: 'if (earliest) this.#alarms.delete(earliest);',
    code: 'earliest',
    replacement: 'true',
    because: 'for the compiler: a set that is to forget undefined stays as it is',
  },
  {
    file: 'protocol/time/random.ts',
    line: 'if (length > pool.length / 8) return crypto.getRandomValues(new Uint8Array(length));',
    because: 'the bytes are as random either way; it is about speed',
  },
  {
    file: 'mock-auth-server/otp/attribute.ts',
    line: "const attribute = readAttribute(params.phone ?? params.email ?? '');",
    code: "''",
    because: 'any text that is no phone and no address is refused alike',
  },
  {
    file: 'mock-client/flow/sign-in.ts',
    line: "if (event.type === 'replied' && event.method === 'auth.request_otp') {",
    code: "event.type === 'replied'",
    replacement: 'true',
    because: 'for the compiler: only a reply has a method',
  },
  {
    file: 'mock-auth-server/verify-cred.ts',
    line: "const NOBODY: Caller = { user: '', token: '', tokenHash: new Uint8Array(0), expiresAt: 0 };",
    because: 'methods that take no credentials read nothing of their caller',
  },
  {
    file: 'ehr-server/store/sqlite/watch.ts',
    line: 'findLink: true,',
    replacement: 'false',
    because: 'the names are read, and not what stands beside them',
  },
  {
    file: 'ehr-server/store/sqlite/watch.ts',
    line: 'removeUser: true,',
    replacement: 'false',
    because: 'the names are read, and not what stands beside them',
  },
];
