/** The settings and people that the tests of this room share. */
import { type AuthConfig, readAuthConfig } from '../config.ts';

export const INTERNAL_USER = 'auth-server';
export const INTERNAL_PASSWORD = 'pässword-Ж-internal';

export const ANNA = '79990000001';
export const ORPHAN = '79990000007';
export const ANNA_MAIL = 'anna.petrova@example.org';

/** The default settings with the internal credentials: free port, in memory, no pause between codes. */
export function testConfig(overrides: Partial<AuthConfig> = {}): AuthConfig {
  const config = readAuthConfig([], {
    EHR_INTERNAL_USER: INTERNAL_USER,
    EHR_INTERNAL_PASSWORD: INTERNAL_PASSWORD,
  });
  if (!config) throw new Error('Failed to read the default settings.');
  return {
    ...config,
    port: 0,
    database: ':memory:',
    rateLimit: false,
    // Most tests sign in more than once and do not test the pause.
    otpResendAfter: 0,
    withoutCorrespondence: [ORPHAN],
    ...overrides,
  };
}
