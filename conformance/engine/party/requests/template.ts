/** Fills in the templates of an adapter file: `${name}`, `${name?}` if optional, `$${` for `${` itself. */

export type Variable = {
  name: string;
  /** Written with a question mark: the member, field or header is left out when there is no value. */
  optional: boolean;
};

export type Variables = Readonly<Record<string, string | undefined>>;

export class MissingValueError extends TypeError {
  override name = 'MissingValueError';
}

/** Values that identify the caller. They are optional: the kit leaves one out to call without it. */
const WHO_CALLS = /^(?:user|token|keep\..*)$/;

/** The variables in a text, in order; undefined when it has a `${` that is not a variable. */
export function variablesIn(text: string): Variable[] | undefined {
  if ([...text.matchAll(PART)].some(([match]) => match === BROKEN)) return undefined;
  return partsOf(text).filter((part) => typeof part === 'object');
}

/**
 * Fills in a template; undefined when an optional value is missing. @throws MissingValueError for a required
 * @example fill('+${phone}', { phone: '79990000001' }) // '+79990000001'
 */
export function fill(text: string, variables: Variables): string | undefined {
  let filled = '';
  for (const part of partsOf(text)) {
    const piece = typeof part === 'object' ? givenFor(part, variables) : part;
    if (piece === undefined) return undefined;
    filled += piece;
  }
  return filled;
}

/** Fills in an address or a part of one, as {@link fill} does. A missing optional value becomes empty. */
export function fillAddress(text: string, variables: Variables): string {
  return partsOf(text)
    .map((part) => (typeof part === 'object' ? encodeURIComponent(givenFor(part, variables) ?? '') : part))
    .join('');
}

function givenFor({ name, optional }: Variable, variables: Variables): string | undefined {
  const value = variables[name];
  if (value === undefined && !optional && !WHO_CALLS.test(name)) {
    throw new MissingValueError(`The value \${${name}} is needed and was not given.`);
  }
  return value;
}

/** The name of the variable in a text that is nothing else; `undefined` for any other text. */
export function loneVariable(text: string): string | undefined {
  const [part, ...more] = partsOf(text);
  return typeof part === 'object' && more.length === 0 ? part.name : undefined;
}

/** What {@link PART} matches where a `${` begins no variable. */
const BROKEN = '${';
/** An escaped `${`, a variable, or a `${` that begins neither. */
const PART = /\$\$\{|\$\{(?<name>[A-Za-z][\w.-]*)(?<optional>\?)?\}|\$\{/g;

function partsOf(text: string): (string | Variable)[] {
  const parts: (string | Variable)[] = [];
  let from = 0;
  for (const match of text.matchAll(PART)) {
    const { name, optional } = match.groups ?? {};
    parts.push(
      text.slice(from, match.index),
      name === undefined ? '${' : { name, optional: optional !== undefined },
    );
    from = match.index + match[0].length;
  }
  parts.push(text.slice(from));
  return parts.filter((part) => part !== '');
}
