/** What a rule reports, and the walk that finds it in a file. */
import { type Node, type Source, walk } from '../source.ts';

export type Finding = {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** What is wrong and what to do instead, in a sentence. */
  readonly message: string;
};

/** Reports each node that `look` has something to say about. */
export function findNodes(
  { file, program, lineOf }: Source,
  look: (node: Node, parent: Node | undefined) => string | undefined,
): Finding[] {
  const found: Finding[] = [];
  walk(program, (node, parent) => {
    const message = look(node, parent);
    if (message !== undefined) found.push({ file, line: lineOf(node.start), message });
  });
  return found;
}
