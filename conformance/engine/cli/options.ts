/** The options that several commands of the kit share, and how their values are read. */
import { InvalidArgumentError, Option } from 'commander';
import type { RoleEntry } from '../role.ts';

/** Returns a parser for a whole number from `min` to `max`. `what` is the option, as errors name it. */
export const number = (what: string, min: number, max: number) => (text: string) => {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < min || value > max)
    throw new InvalidArgumentError(`${what} must be a whole number from ${min} to ${max}.`);
  return value;
};

export const seedOption = (help: string) =>
  new Option('--seed <number>', help).argParser(number('--seed', 0, 2 ** 31 - 1)).default(1);

export const portOption = (flag: string, help: string, port: number) =>
  new Option(`${flag} <port>`, help).argParser(number(flag, 0, 65_535)).default(port);

export function roleOption(roles: readonly RoleEntry[], help: string): Option {
  const ids = roles.map(({ id }) => id);
  return new Option('--role <role>', help).choices(ids).default(ids[0]);
}

export type Ends = (code: number) => void;
