/**
 * Decides which fixed values of a recording may be written into a file. A word such as `sms` may; whatever
 * could be a secret or say something of a person is replaced by an invented value of the same kind.
 */
import { wordsOf } from '../../../engine/learn/values.ts';

/** Members that may hold what a person is called, was born, or keeps secret. */
const PRIVATE_NAME =
  /\b(?:name|first|last|middle|sur\w*|patronymic|birth\w*|dob|date|gender|sex|address|street|city|mail|email|password|passwd|pwd|pass|secret|token|key|card|policy|passport|snils|insurance|login|user\w*|phone|mobile|comment|message)\b/;
/** Members whose value is long and no secret. */
const TECHNICAL_NAME =
  /\b(?:client id|grant type|scope|realm|audience|tenant|locale|lang|language|platform|version|operation|query|via|channel|method|type|action|purpose|app|source|response type|requested with|accept)\b/;
/** A word, or words joined by hyphens, such as `sms` and `ru-RU`. */
const WORD = /^(?:[a-z]{1,16}|[A-Z]{2,16})(?:[-_.:/](?:[A-Za-z]{1,16}|\d{1,3}))*$/;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Whether the value may be written as it stands. */
export function isHarmless(value: string, name: string): boolean {
  const words = wordsOf(name);
  if (PRIVATE_NAME.test(words) && !/\b(?:client id|grant type|token type|operation name)\b/.test(words))
    return false;
  if (WORD.test(value) || value === '' || /^\d{1,2}$/.test(value)) return true;
  return TECHNICAL_NAME.test(words) && /^[\w .:/-]{1,80}$/.test(value) && !/\d{4}/.test(value);
}

/** An invented value of the same kind. */
export function inventedFor(value: string): string {
  if (UUID.test(value)) return '00000000-0000-4000-8000-000000000000';
  return /^\d+$/.test(value) ? '0' : 'conformance-kit';
}
