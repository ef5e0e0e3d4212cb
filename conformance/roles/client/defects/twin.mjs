#!/usr/bin/env node
/** Runs the right client with the difference whose id the environment variable DEFECT has. */
import { run } from '../../../examples/plain-client/client.mjs';
import { clientDefects, harmlessClients, REFERENCE } from './index.mjs';
import { withLedger } from './ledger.mjs';

const all = [REFERENCE, ...clientDefects, ...harmlessClients];
const variant = all.find(({ id }) => id === process.env.DEFECT);
if (!variant) throw new Error(`There is no variant ${process.env.DEFECT}.`);
await run((client) => variant.change?.(withLedger(client)));
