/** The settings of the methods unless somebody sets others: for servers without a command line. */
import type { EhrRules } from './context.ts';

export const DEFAULT_RULES = {
  matchingRequired: ['name', 'surname', 'date', 'phone'],
  maxTtl: undefined,
  medcard: true,
  recordAfterAuthenticate: 'once',
  replyId: 'string',
  ttlUnit: 'minutes',
} satisfies Partial<EhrRules>;
