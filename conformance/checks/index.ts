/** All checks, in the order in which reports list them. */
import type { Check } from './check.ts';
import { ehrTrouble } from './ehr-trouble.ts';
import { internalChannel } from './internal-channel.ts';
import { sessionChecks } from './sessions.ts';
import { signIn } from './sign-in.ts';
import { tokens } from './tokens.ts';

export const checks: readonly Check[] = [...signIn, ...tokens, ...internalChannel, ...sessionChecks, ...ehrTrouble];
