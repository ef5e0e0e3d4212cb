/** Values of flags that several command lines read alike. */
import { InvalidArgumentError } from 'commander';

/** Reads a whole number within bounds, for commander's `argParser`. */
export function wholeNumberArgument(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d{1,16}$/.test(text) || value < min || value > max) {
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    }
    return value;
  };
}
