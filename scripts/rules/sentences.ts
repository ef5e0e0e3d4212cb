/** Comments are plain sentences on short lines, and code uses the words of the field. */
import { nameOf, type Source } from '../source.ts';
import { type Finding, findNodes } from './finding.ts';

const MAX_COMMENT_LINE_CHARS = 110;

/** Retired words, each with what to write instead. The lanes of a diagram, in lower case, are not retired. */
const RETIRED: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\bdisgraced?\b/i, 'throttled networks'],
  [/\bcameToNothing\b/i, 'unused connection'],
  [/\bturnAway\b/i, 'sendTooManyRequests'],
  [/\btooMany\b/i, 'RateLimited'],
  [/\bLanes\b/, 'BatchQueue'],
  [/\bcarryOut\b/i, 'execute'],
  [/\bendTurnReads\b/i, 'the read transaction of a tick'],
  [/\bbreaches\b/i, 'violations'],
  [/\bShelf\b/i, 'KeyValueStorage'],
];

/**
 * A sentence that opens with a relative pronoun, up to its end mark. Only a full stop, `!` or `?` ends a
 * sentence.
 */
const SENTENCE = /(?:^|[.!?]\s+|@\w+\s+)(Who|Whoever|Whose|Whom)\b[^.!?]*([.!?]|$)/g;

/** Reports sentences without a plain subject, long comment lines and retired words. */
export function sentencesRule(source: Source): Finding[] {
  return [...commentFindings(source), ...identifierFindings(source)];
}

function commentFindings(source: Source): Finding[] {
  return source.comments.flatMap(({ value, start, end }) => {
    const first = source.lineOf(start);
    return [
      ...longLines(source, first, source.lineOf(end)),
      ...relativeOpenings(value).map((word) => ({
        file: source.file,
        line: first,
        message: `A sentence begins with "${word}": name its subject ("The caller", "A key that"), then say what it does.`,
      })),
      ...retiredIn(value).map((message) => ({ file: source.file, line: first, message })),
    ];
  });
}

function longLines({ file, text }: Source, first: number, last: number): Finding[] {
  return text
    .split('\n')
    .slice(first - 1, last)
    .flatMap((content, index) => {
      if (content.length <= MAX_COMMENT_LINE_CHARS) return [];
      const message = `A comment line of ${content.length} characters: shorten it, or wrap it at ${MAX_COMMENT_LINE_CHARS}.`;
      return [{ file, line: first + index, message }];
    });
}

/** Finds the relative pronouns that open a sentence of a comment. Questions may begin with one. */
function relativeOpenings(comment: string): string[] {
  const prose = comment
    .replace(/^\s*\*+/gm, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return [...prose.matchAll(SENTENCE)].filter((match) => match[2] !== '?').map((match) => match[1] as string);
}

function identifierFindings(source: Source): Finding[] {
  return findNodes(source, (node) => {
    const isName = node.type === 'Identifier' || node.type === 'JSXIdentifier';
    return isName ? retiredIn(nameOf(node) as string)[0] : undefined;
  });
}

function retiredIn(text: string): string[] {
  return RETIRED.flatMap(([word, instead]) => {
    const match = word.exec(text);
    return match ? [`"${match[0]}" is a retired word: write "${instead}".`] : [];
  });
}
