import { expect, test } from 'vitest';
import { traceIn } from './traces.ts';

test.each([
  [
    'Python',
    JSON.stringify({
      detail: 'Traceback (most recent call last):\n  File "/srv/app.py", line 12, in finish',
    }),
  ],
  ['Java', 'at com.example.Otp.confirm(Otp.java:42)'],
  ['Node.js', JSON.stringify({ stack: new Error('odd').stack })],
  ['Node.js', 'TypeError: x\n    at async confirm (file:///srv/otp.mjs:4:11)'],
  ['Node.js', JSON.stringify({ stack: 'TypeError: x\n    at C:\\srv\\otp.js:4:11' })],
  ['PHP', '#0 /var/www/Otp.php(12): confirm()'],
  ['PHP', 'Fatal error: Uncaught TypeError in /var/www/Otp.php on line 12'],
  ['Ruby', "app/otp.rb:12:in `confirm'"],
  ['Go', 'goroutine 12 [running]:'],
  ['.NET', JSON.stringify('   at Otp.Api.Confirm(String code) in C:\\src\\Otp.cs:line 12')],
])('a trace of %s is seen: %s', (platform, text) => {
  expect(traceIn(text)).toBe(platform);
});

test.each([
  '{"detail":"The code is wrong."}',
  '{"at":"2026-01-15T09:00:00.000Z","next":"https://auth.example:8443/sign-in"}',
  'Call us at (8:00:00) or write to help@otp.rb',
  '{"message":"look at /outbox at 12:30:15"}',
])('a usual answer has none: %s', (text) => {
  expect(traceIn(text)).toBeUndefined();
});
