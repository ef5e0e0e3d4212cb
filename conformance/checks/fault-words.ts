/** Faults of the EHR server in words, as titles of checks have them. */
import type { FaultName } from '../journal/entry.ts';

export const words: Record<FaultName, string> = {
  down: 'closes every connection',
  reset: 'resets the connection',
  hang: 'does not answer',
  truncate: 'breaks off in the middle of its reply',
  'not-json': 'answers with a page of HTML',
  'wrong-id': 'answers another call',
  'http-500': 'answers HTTP 500',
  'reply-lost': 'does the call and loses the reply',
  'number-id': 'returns the id as a number',
  'string-id': 'returns the id as a string',
  late: 'answers late',
  'split-reply': 'answers in several parts',
  redirect: 'answers with a redirect',
  refuse: 'refuses',
};
