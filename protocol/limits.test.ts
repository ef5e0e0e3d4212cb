import { expect, test } from 'vitest';
import * as limits from './limits.ts';

const MINUTE_MS = 60_000;

test('the limits and lifetimes are those of the interface and of the decisions', () => {
  expect(limits).toMatchObject({
    EXCHANGE_TOKEN_LIFETIME_MS: 10 * MINUTE_MS,
    MAX_FAILED_MATCHES: 5,
    MAX_PENDING_EXCHANGE_TOKENS: 5,
    FAILED_MATCH_WINDOW_MS: 60 * MINUTE_MS,
    DEFAULT_FAILED_MATCHES_PER_HOUR: 20,
    DEFAULT_MAX_SESSION_LIFETIME_MS: 315_576_000_000,
    DEFAULT_SESSION_TTL_MINUTES: 24 * 60,
    TTL_UNIT_MS: { minutes: MINUTE_MS, seconds: 1_000 },
    CODE_DIGITS: 6,
    CODE_LIFETIME_MS: 5 * MINUTE_MS,
    MAX_WRONG_CODES: 5,
    CODE_WINDOW_MS: 24 * 60 * MINUTE_MS,
    DEFAULT_CODES_PER_DAY: 50,
    DEFAULT_RESEND_AFTER_SECONDS: 30,
  });
});
