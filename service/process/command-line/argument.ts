/** Parsers of flag values that several command lines share. */
import { InvalidArgumentError } from 'commander';

/** Parse a whole number from `min` to `max`, for commander's `argParser`. */
export function wholeNumberArgument(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d{1,16}$/.test(text) || value < min || value > max) {
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    }
    return value;
  };
}
