/** Decides which recorded values may stand in a file, and invents others in the place of private ones. */
import { wordsOf } from '../../../engine/learn/exchange.ts';

/** Members that may hold what a person is called, was born, or keeps secret. */
const PRIVATE_NAME =
  /\b(?:name|first|last|middle|given|family|fio|sur\w*|patronymic|birth\w*|dob|date|day|month|year|age|gender|sex|address|street|city|mail|email|password|passwd|passphrase|pwd|pw|pass|secret|token|key|card|policy|passport|snils|insurance|login|user\w*|phone|mobile|comment|message|text)\b/;
/** Names that are not private, although one of their words alone would be. */
const NOT_PRIVATE = /\b(?:client id|grant type|token type|operation name|app name|user agent)\b/;
const TECHNICAL_NAME =
  /\b(?:client id|grant type|token type|operation name|app name|requested with|response type|scope|realm|audience|tenant|locale|lang|language|platform|version|operation|query|via|channel|method|type|action|purpose|app|source|accept|kind|mode|flow|step|role|country|region|currency|gateway|provider|service|format|target|resource|category|status|state|event|template|brand|product|module|op|cmd|command|do|act|func|function|route|controller|task|delivery|transport|os|device type|v|api)\b/;
/** Words that say nothing of a person. */
const PLAIN_WORD =
  /^(?:sms|call|voice|flash|push|whatsapp|telegram|viber|email|phone|otp|code|login|auth|web|ios|android|mobile|browser|app|desktop|patient|user|yes|no|on|off|ok|true|false|[a-z]{2}(?:[-_][a-z]{2})?)$/i;
const TECHNICAL_VALUE = /^(?:[\w.:/-]{1,80}|[a-z.:_ -]{1,80}|\+\d{1,3})$/;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Whether the value may be written as it stands. */
export function isHarmless(value: string, name: string): boolean {
  const words = wordsOf(name);
  if (value === '') return true;
  if (PRIVATE_NAME.test(words) && !NOT_PRIVATE.test(words)) return /^\+\d{1,3}$/.test(value);
  if (PLAIN_WORD.test(value) || /^\d{1,2}$/.test(value)) return true;
  return TECHNICAL_NAME.test(words) && TECHNICAL_VALUE.test(value) && !/\d{4}/.test(value);
}

/** A day, with or without the time. */
const ISO_DATE = /^\d{4}-\d\d-\d\d(?=$|[T ]\d\d:\d\d)/;

const INVENTED = 'conformance-kit';

/** Returns an invented value of the same shape. */
export function inventedFor(value: string): string {
  if (UUID.test(value)) return '00000000-0000-4000-8000-000000000000';
  if (ISO_DATE.test(value)) return `2000-01-01${value.slice(10).replace(/\d/g, '0')}`;
  // Ten digits are a time in seconds then, and thirteen one in milliseconds.
  if (/^-?\d+(?:\.\d+)?$/.test(value)) return value.replace(/\d/g, '0').replace('0', '1');
  return INVENTED;
}
