/**
 * Loaded into an EHR process before its program. Injects the defect that the environment names into the
 * database driver.
 */
import type { Database, Statement } from 'better-sqlite3';
import pg from 'pg';
import { loadSqlite } from '#service/sqlite.ts';
import { defects } from './defects.ts';

const name = process.env.TORTURE_DEFECT;
const defect = defects.find((known) => known.name === name);
if (!defect) throw new Error(`There is no defect ${name}.`);
const { rewrites = [], commitsEvery } = defect;

const rewritten = (sql: string) => rewrites.reduce((text, [from, to]) => text.replace(from, to), sql);

const Sqlite = loadSqlite();
const { prepare, exec, pragma } = Sqlite.prototype;

Sqlite.prototype.prepare = function (this: Database, sql: string) {
  const statement = prepare.call(this, rewritten(sql)) as Statement<[]>;
  if (commitsEvery === undefined) return statement;
  let asked = 0;
  const run = () => {
    if (sql === 'BEGIN IMMEDIATE') return this.inTransaction || statement.run();
    return ++asked % commitsEvery !== 0 || statement.run();
  };
  return ['BEGIN IMMEDIATE', 'COMMIT'].includes(sql) ? Object.create(statement, { run: { value: run } }) : statement;
} as typeof prepare;

Sqlite.prototype.exec = function (this: Database, sql: string) {
  return exec.call(this, rewritten(sql));
};

// The pragma works only between transactions. With this defect a transaction is nearly always open.
Sqlite.prototype.pragma = function (this: Database, ...args: Parameters<typeof pragma>) {
  return this.inTransaction && args[0].startsWith('synchronous') ? undefined : pragma.apply(this, args);
};

const query = pg.Client.prototype.query as (this: pg.Client, ...args: unknown[]) => unknown;

pg.Client.prototype.query = function (this: pg.Client, first: unknown, ...others: unknown[]) {
  const text = typeof first === 'string' ? rewritten(first) : first;
  if (typeof text === 'object' && text !== null && 'text' in text && typeof text.text === 'string')
    return query.call(this, { ...text, text: rewritten(text.text) }, ...others);
  return query.call(this, text, ...others);
} as typeof pg.Client.prototype.query;

type Connecting = pg.Client & { connectionParameters: { options?: string } };
const connect = pg.Client.prototype.connect as (this: pg.Client, ...args: unknown[]) => unknown;

pg.Client.prototype.connect = function (this: Connecting, ...args: unknown[]) {
  const { connectionParameters: parameters } = this;
  if (parameters.options !== undefined) parameters.options = rewritten(parameters.options);
  return connect.call(this, ...args);
} as typeof pg.Client.prototype.connect;
