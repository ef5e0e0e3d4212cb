/** A body: JSON with line breaks, anything else as it crossed. Masked values stand out. */
/** A longer body is cut on the page; the HAR has all of it. */
const MAX_CHARS = 20_000;

export function Json({ text, label }: { text: string; label: string }) {
  if (text === '') return null;
  const shown = indented(text).slice(0, MAX_CHARS);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="json" tabIndex={0} aria-label={label}>
      <pre>
        {shown.split(/(‹[^›\n]{1,60}›)/).map((part, index) =>
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never move
          index % 2 === 1 ? <i key={index}>{part}</i> : <span key={index}>{part}</span>,
        )}
      </pre>
    </section>
  );
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}
