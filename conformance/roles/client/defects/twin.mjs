#!/usr/bin/env node
/** The client in plain JavaScript with one defect, or with a harmless difference: DEFECT=name. */
import { run } from '../../../examples/plain-client/client.mjs';
import { faults } from '../../../examples/plain-client/faults.mjs';
import { endings } from './twin/endings.mjs';
import { harmless } from './twin/harmless.mjs';
import { keeping } from './twin/keeping.mjs';
import { leaks } from './twin/leaks.mjs';
import { messages } from './twin/messages.mjs';
import { once } from './twin/once.mjs';
import { order } from './twin/order.mjs';
import { screens } from './twin/screens.mjs';
import { sessions } from './twin/sessions.mjs';
import { slips } from './twin/slips.mjs';

const variants = {
  ...faults,
  ...leaks,
  ...messages,
  ...order,
  ...once,
  ...screens,
  ...sessions,
  ...keeping,
  ...endings,
  ...slips,
  ...harmless,
};
const variant = variants[process.env.DEFECT ?? ''];
if (!variant) throw new Error(`There is no variant ${process.env.DEFECT}.`);
await run(variant);
