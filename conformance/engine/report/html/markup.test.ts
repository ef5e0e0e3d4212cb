import { expect, test } from 'vitest';
import { html } from './markup.ts';

test('every value that is not markup is escaped, in texts and in attributes', () => {
  const text = `<b>&"'`;
  expect(html`<p title="${text}">${text}</p>`.text).toBe(
    '<p title="&lt;b&gt;&amp;&quot;&#39;">&lt;b&gt;&amp;&quot;&#39;</p>',
  );
});

test('markup, lists and what is absent are put together', () => {
  expect(
    html`<ul>${['a', '<'].map((item) => html`<li>${item}</li>`)}${undefined}${false}${3}</ul>`.text,
  ).toBe('<ul><li>a</li><li>&lt;</li>3</ul>');
});

test('a part of the pattern that looks like a replacement is left alone', () => {
  expect(html`${'$&'}${"$'"}`.text).toBe('$&amp;$&#39;');
});
