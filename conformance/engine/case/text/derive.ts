/**
 * Writes a text as an expression over a value that the script learns only when it runs: a token with one
 * character changed, a code in other digits, a phone in another spelling.
 */
import { quoted } from '../js-text.ts';

/** Returns the expression, or undefined where the text has nothing to do with the value. */
export function derived(text: string, value: string, name: string): string | undefined {
  if (text === value) return name;
  if (value.length < 4 || text.length === 0) return undefined;
  for (const way of WAYS) {
    const found = way(text, value, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

type Derivation = (text: string, value: string, name: string) => string | undefined;

const inside: Derivation = (text, value, name) => {
  const at = text.indexOf(value);
  if (at === -1) return undefined;
  const [before, after] = [text.slice(0, at), text.slice(at + value.length)];
  // Characters of the value itself are put around it where it must not look strange.
  const left =
    before !== '' && value.startsWith(before) ? `${name}.slice(0, ${before.length})` : quoted(before);
  const right = after !== '' && value.endsWith(after) ? `${name}.slice(-${after.length})` : quoted(after);
  return [before === '' ? '' : left, name, after === '' ? '' : right].filter(Boolean).join(' + ');
};

const part: Derivation = (text, value, name) => {
  const at = value.indexOf(text);
  if (at === -1 || text.length < 3 || text.length * 3 < value.length) return undefined;
  return at + text.length === value.length
    ? `${name}.slice(${at})`
    : `${name}.slice(${at}, ${at + text.length})`;
};

const otherCase: Derivation = (text, value, name) => {
  if (text.toLowerCase() !== value.toLowerCase()) return undefined;
  if (text === value.toLowerCase()) return `${name}.toLowerCase()`;
  if (text === value.toUpperCase()) return `${name}.toUpperCase()`;
  return `otherCase(${name})`;
};

const oneChanged: Derivation = (text, value, name) => {
  if (text.length !== value.length || value.length < 5) return undefined;
  const places = Array.from(value, (_, index) => index).filter((index) => text[index] !== value[index]);
  const [place] = places;
  if (places.length !== 1 || place === undefined) return undefined;
  return `changedAt(${name}, ${place > value.length - 4 ? place - value.length : place})`;
};

const spelled: Derivation = (text, value, name) => {
  if (!/^\d{7,}$/.test(value) || text.replace(/\D/g, '') !== value) return undefined;
  return `spelled(${name}, ${quoted(text.replace(/\d/g, '#'))})`;
};

const otherDigits: Derivation = (text, value, name) => {
  const [own, its] = [[...text], [...value]];
  if (own.length !== its.length || !/^\d+$/.test(value)) return undefined;
  const offsets = own.map((char, index) => (char.codePointAt(0) ?? 0) - (its[index]?.codePointAt(0) ?? 0));
  const [offset = 0] = offsets;
  if (offset === 0 || offsets.some((each) => each !== offset)) return undefined;
  return `inDigits(${name}, ${offset})`;
};

const reordered: Derivation = (text, value, name) => {
  if (text.length !== value.length || value.length > 10) return undefined;
  const free = [...value].map((char, index) => ({ char, index }));
  const order = [...text].map((char) => {
    const at = free.findIndex((each) => each.char === char);
    return at === -1 ? undefined : free.splice(at, 1)[0]?.index;
  });
  return order.includes(undefined) ? undefined : `reordered(${name}, [${order.join(', ')}])`;
};

const spaced: Derivation = (text, value, name) => {
  if (text.length <= value.length || text.replace(/[\s\u200b-]/gu, '') !== value) return undefined;
  return `spelled(${name}, ${quoted([...text].map((char) => (value.includes(char) ? '#' : char)).join(''))})`;
};

const sameEnd: Derivation = (text, value, name) => {
  if (!/^\d{9,}$/.test(value) || !/^\+?\d{7,}$/.test(text)) return undefined;
  let length = 0;
  while (length < text.length && text.at(-1 - length) === value.at(-1 - length)) length++;
  if (length < 7) return undefined;
  return `${quoted(text.slice(0, text.length - length))} + ${name}.slice(-${length})`;
};

const WAYS: readonly Derivation[] = [
  inside,
  otherCase,
  sameEnd,
  oneChanged,
  spelled,
  otherDigits,
  spaced,
  reordered,
  part,
];
