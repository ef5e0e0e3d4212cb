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
  {
    file: 'mock-client/flow/form.ts',
    line: "return day < '1850' ? { key: 'mistakeDateYear' } : undefined;",
    code: "day < '1850'",
    replacement: "day <= '1850'",
    because: 'a day has a month, too, and so is never the year alone',
  },
  {
    file: 'mock-client/flow/linking.ts',
    line: 'if (!draft) return stay(model);',
    code: '!draft',
    replacement: 'false',
    because: 'for the compiler: whoever waits for a token at the form has submitted it',
  },
  {
    file: 'mock-client/flow/run-effects.ts',
    line: 'const queue: FlowEvent[] = [];',
    because: 'for the compiler: what is no event leaves every step as it is',
  },
  {
    file: 'protocol/time/random.ts',
    line: 'if (used + length > pool.length) {',
    code: 'used + length > pool.length',
    replacement: 'used + length >= pool.length',
    because: 'the bytes are as random either way; the stock is filled a little earlier',
  },
  {
    file: 'protocol/wire/json.ts',
    line: 'for (let at = start + 1; at < text.length; at++) {',
    code: 'at < text.length',
    replacement: 'at <= text.length',
    because: 'beyond the end of a text there is no character that counts',
  },
  {
    file: 'protocol/wire/matching.ts',
    line: 'calendar.getUTCFullYear() === year && calendar.getUTCMonth() === month - 1 && calendar.getUTCDate() === day;',
    code: 'calendar.getUTCMonth() === month - 1',
    replacement: 'true',
    because: 'a day past the end of its month has another number there, and a month that is none another year',
  },
  {
    file: 'mock-auth-server/otp/one-time-codes.ts',
    line: "if (last !== null && now < last + resendAfter * 1_000) throw new RpcError('otp_throttled');",
    code: 'last !== null',
    replacement: 'true',
    because: 'for the compiler: null counts as 1970, which is long enough ago',
  },
  {
    file: 'ehr-server/match-patient.ts',
    line: 'const day = date === undefined ? undefined : dayKey(date);',
    code: 'date === undefined',
    replacement: 'false',
    because: 'for the compiler: what is absent has no form of a date, and so no day',
  },
  {
    file: 'ehr-server/store/postgres/batch-queue.ts',
    line: 'if (this.#isScheduled) return;',
    code: 'this.#isScheduled',
    replacement: 'false',
    because: 'a start that finds nothing queued does nothing',
  },
  {
    file: 'ehr-server/store/postgres/links.ts',
    line: "name: 'link_open_session',",
    replacement: '""',
    because: 'a statement without a name is prepared anew each time; it is about speed',
  },
];
