/** Reads and changes Markdown without its code: what stands in fences and inline code has no links. */

/** `[text](target)`, `![alt](target)`, `[name]: target`, and `src` and `href` of embedded HTML. */
const LINK =
  /(\]\(\s*<?)([^)\s<>]+)(?=>?(?:\s+"[^"]*")?\s*\))|^(\s*\[[^\]]+\]:\s*)(\S+)|(\b(?:src|srcset|href)=")([^"]+)(?=")/g;

/** Returns the targets of the links in a line. */
export function linksIn(line: string): string[] {
  return [...line.matchAll(LINK)].map((match) => match[2] ?? match[4] ?? match[6] ?? '');
}

/** Replaces the targets of the links of a page. Where `replace` returns undefined, only the text stays. */
export function replaceLinks(text: string, replace: (target: string) => string | undefined): string {
  return changeLines(text, (line) => {
    const gone = linksIn(line).filter((target) => replace(target) === undefined);
    const rest = gone.reduce(withoutLink, line);
    return rest.replace(LINK, (_, before, target, ...[name, named, attribute, value]: string[]) => {
      const old = target ?? named ?? value ?? '';
      return `${before ?? name ?? attribute}${replace(old) ?? old}`;
    });
  });
}

/** Replaces the links of a line to a target by their texts. */
function withoutLink(line: string, target: string): string {
  return line.replace(/(?<!!)\[((?:[^[\]]|\\\]|\\\[)*)\]\(([^)\s]+)\)/g, (all, text: string, to: string) =>
    to === target ? text : all,
  );
}

export function replaceProse(text: string, replace: (part: string) => string): string {
  return changeLines(text, (line) =>
    line
      .split(/(`[^`]*`)/)
      .map((part, index) => (index % 2 === 0 ? replace(part) : part))
      .join(''),
  );
}

/** Returns the lines outside code, without the content of fences and inline code. */
export function prose(text: string): string[] {
  const lines = changeLines(
    text,
    // A heading keeps the words of its inline code: they are part of its anchor.
    (line) => (line.startsWith('#') ? line.replaceAll('`', '') : line.replace(/`[^`]*`/g, '')),
    () => '',
  );
  return lines.split('\n');
}

/** Changes the lines outside fences, and those of fences. */
function changeLines(
  text: string,
  outside: (line: string) => string,
  inside = (line: string) => line,
): string {
  let fence = '';
  const change = (line: string) => {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
    const isMark = fence === '' ? mark !== '' : mark.startsWith(fence);
    if (isMark) fence = fence === '' ? mark : '';
    return isMark || fence !== '' ? inside(line) : outside(line);
  };
  return text.split('\n').map(change).join('\n');
}
