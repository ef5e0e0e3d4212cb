import { expect, test } from 'vitest';
import { isSentence } from './seen.ts';

test('a sentence has two words, or letters of a script without blanks', () => {
  for (const text of ['No record fits.', 'Код неверный.', '验证码错误，请检查后重新输入。', 'รหัสไม่ถูกต้อง'])
    expect([text, isSentence(text)]).toEqual([text, true]);
  for (const text of ['Sorry!', 'Ошибка.', '...', '-33000', 'HTTP 502', '{"error": "no record"}', '错误'])
    expect([text, isSentence(text)]).toEqual([text, false]);
  // A pattern that searches from each character takes minutes for such a text.
  for (const text of ['a'.repeat(20_000), `${'\n'.repeat(400_000)}1`]) expect(isSentence(text)).toBe(false);
});
