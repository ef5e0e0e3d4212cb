/** All clients of the self-test. */
import { endings } from './endings.mjs';
import { messages } from './messages.mjs';
import { order } from './order.mjs';
import { screens } from './screens.mjs';

export { harmlessClients } from './harmless.mjs';

export const REFERENCE = { id: 'reference', title: 'The client in plain JavaScript' };

export const clientDefects = [...messages, ...order, ...endings, ...screens];
