/**
 * Loads sources before each test file. A source that a test imports while it runs would count as loaded by
 * that test alone, and no other test would be run against mutants in its module code.
 */
import { resolve } from 'node:path';

for (const file of (process.env.LOADED_FIRST ?? '').split(' ').filter(Boolean)) await import(resolve(file));
