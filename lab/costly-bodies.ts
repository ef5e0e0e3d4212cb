/** JSON bodies that cost a parser far more than their size suggests, each as large as a server accepts. */

/** The parts of a body. `part` is repeated until the body is full; `index` makes names differ. */
type Shape = { open: string; part: (index: number) => string; close: string };

const SHAPES = {
  'distinct names': { open: '{', part: (index) => `"n${index}":1,`, close: '"last":1}' },
  'integers for names': { open: '{', part: (index) => `"${index * 7_919}":1,`, close: '"0x":1}' },
  'long names': { open: '{', part: (index) => `"${'n'.repeat(100)}${index}":1,`, close: '"last":1}' },
  elements: { open: '[', part: () => '0,', close: '0]' },
  objects: { open: '[', part: () => '{},', close: '{}]' },
  'deep arrays': { open: '[', part: () => `${'['.repeat(25)}${']'.repeat(25)},`, close: '0]' },
  'deep objects': { open: '[', part: () => `${'{"a":'.repeat(25)}0${'}'.repeat(25)},`, close: '0]' },
  'brackets that never close': { open: '', part: () => '[', close: '' },
  text: { open: '"', part: () => 'x', close: '"' },
  escapes: { open: '"', part: () => '\\u0041', close: '"' },
  digits: { open: '1', part: () => '1', close: '' },
} as const satisfies Record<string, Shape>;

export type CostlyShape = keyof typeof SHAPES;
export const COSTLY_SHAPES = Object.keys(SHAPES) as CostlyShape[];

/** Builds a call whose extra member has this shape. The body has nearly `bytes` bytes and never more. */
export function costlyBody(shape: CostlyShape, call: object, bytes: number): string {
  const { open, part, close }: Shape = SHAPES[shape];
  const head = `${JSON.stringify(call).slice(0, -1)},"extra":${open}`;
  const parts: string[] = [];
  let left = bytes - head.length - close.length - 1;
  for (let index = 0; ; index++) {
    const next = part(index);
    left -= next.length;
    if (left < 0) return `${head}${parts.join('')}${close}}`;
    parts.push(next);
  }
}
