/** All clients of the self-test. */
import { endings } from './endings.mjs';
import { forms } from './forms.mjs';
import { keeping } from './keeping.mjs';
import { leaks } from './leaks.mjs';
import { messages } from './messages.mjs';
import { order } from './order.mjs';
import { replies } from './replies.mjs';
import { screens } from './screens.mjs';

export { harmlessClients } from './harmless.mjs';

export const REFERENCE = { id: 'reference', title: 'The client in plain JavaScript' };

export const clientDefects = [
  ...leaks,
  ...messages,
  ...forms,
  ...order,
  ...replies,
  ...endings,
  ...keeping,
  ...screens,
];
