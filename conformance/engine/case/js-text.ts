/** Writes JavaScript that a person reads: quotes texts, and breaks long lines at their brackets. */

/** A text as a literal. */
export function quoted(text: string): string {
  const json = JSON.stringify(text);
  return /['\\]|\\"/.test(json.slice(1, -1)) ? json : `'${text}'`;
}

/** The name of a member as it stands in an object. */
export const memberName = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name));

/** Names that the script uses itself. */
const RESERVED = new Set(
  'ask asked at base64 hmac latin1 act leave issued given known received client urls trouble calm body step invented hashed restart call stepsOf isForetold isLinear leastApart disturbed changedAt codeTo digest disturb done draw ehr header inDigits move must otherCase pause play reordered run sent settled spelled taken text url delete new class in of do if for'.split(
    ' ',
  ),
);

/** The name of a variable: this one, or with a number where it is taken. */
export function freeName(base: string, taken: ReadonlySet<string>): string {
  let name = base;
  for (let number = 2; taken.has(name) || RESERVED.has(name); number++) name = `${base}${number}`;
  return name;
}

export const camelCase = (name: string) =>
  name.replace(/[^A-Za-z0-9]+(.)?/g, (_, next: string | undefined) => next?.toUpperCase() ?? '');

const WIDTH = 108;

/** Breaks a line that is too long: each item of its longest bracket gets a line of its own. */
export function folded(text: string, indent = ''): string {
  if (indent.length + text.length <= WIDTH) return indent + text;
  const groups = groupsIn(text);
  const [longest] = (
    groups.some(({ open }) => open !== '(') ? groups.filter(({ open }) => open !== '(') : groups
  ).sort((a, b) => b.until - b.from - (a.until - a.from));
  if (!longest) return indent + text;
  const { from, until, items } = longest;
  if (items.length === 0) return indent + text;
  const inner = items.map((item) => `${folded(item, `${indent}  `)},`).join('\n');
  return `${indent}${text.slice(0, from + 1)}\n${inner}\n${indent}${text.slice(until)}`;
}

type BracketGroup = { from: number; until: number; open: string; items: string[] };

/** The bracket groups of a text that stand in no other group of braces or square brackets. */
function groupsIn(text: string): BracketGroup[] {
  const found: BracketGroup[] = [];
  const stack: { at: number; open: string; cuts: number[] }[] = [];
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    const isPattern = char === '/' && /[(,!=&|]\s*$/.test(text.slice(0, at));
    if (char === '"' || char === "'" || char === '`' || isPattern) {
      for (at++; at < text.length && text[at] !== char; at++) if (text[at] === '\\') at++;
    } else if ('([{'.includes(char)) stack.push({ at, open: char, cuts: [] });
    else if (char === ',') stack.at(-1)?.cuts.push(at);
    else if (')]}'.includes(char)) {
      const group = stack.pop();
      if (!group || stack.some(({ open }) => open !== '(')) continue;
      // An index is no list.
      if (group.open === '[' && /[\w)\].]$/.test(text.slice(0, group.at))) continue;
      const cuts = [group.at, ...group.cuts, at];
      const items = cuts.slice(1).map((cut, index) => text.slice((cuts[index] as number) + 1, cut).trim());
      found.push({ from: group.at, until: at, open: group.open, items: items.filter(Boolean) });
    }
  }
  return found;
}
