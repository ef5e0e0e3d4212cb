/** The reasons that the authorization server alone gives. English, Russian. */
import type { Reason } from '#protocol/wire/errors.ts';
import { type MessageText, message } from './language.ts';

export const signInReasonTexts = {
  otp_wrong: message(
    ['That code is not right', 'Код неверный'],
    'Please check the newest message and enter its code again.',
    'Посмотрите последнее сообщение и введите код из него.',
  ),
  otp_expired: message(
    ['That code is too old', 'Код устарел'],
    'A code works for a few minutes only. Please ask for a new one.',
    'Код действует лишь несколько минут. Запросите новый.',
  ),
  otp_exhausted: message(
    ['Too many wrong codes', 'Слишком много неверных кодов'],
    'For your safety this code no longer works. Please ask for a new one.',
    'Для вашей безопасности этот код больше не действует. Запросите новый.',
  ),
  otp_throttled: message(
    ['A code is on its way', 'Код уже в пути'],
    'A code was sent a moment ago. Please wait a little before you ask for another one.',
    'Код только что отправлен. Подождите немного, прежде чем запросить новый.',
  ),
  otp_limit_reached: message(
    ['No more codes today', 'Кодов на сегодня больше нет'],
    'Too many codes were sent for today. Please try again tomorrow.',
    'Сегодня отправлено слишком много кодов. Попробуйте завтра.',
  ),
  ehr_unreachable: message(
    ['The records server cannot be reached', 'Сервер медкарт недоступен'],
    'You did everything right, but the sign-in server could not reach the records server. Please try again in a moment.',
    'Вы всё сделали верно, но сервер входа не смог связаться с сервером медкарт. Повторите попытку чуть позже.',
  ),
  ehr_timeout: message(
    ['The records server is slow', 'Сервер медкарт отвечает медленно'],
    'The records server did not answer the sign-in server in time. Please try again in a moment.',
    'Сервер медкарт не ответил серверу входа вовремя. Повторите попытку чуть позже.',
  ),
  ehr_bad_reply: message(
    ['The records server has a problem', 'На сервере медкарт неполадка'],
    'The sign-in server could not understand the answer of the records server. Please try again in a moment.',
    'Сервер входа не понял ответа сервера медкарт. Повторите попытку чуть позже.',
  ),
  ehr_refused: message(
    ['The records server said no', 'Сервер медкарт отказал'],
    'The records server refused what the sign-in server asked for you. Please try again; if it happens again, ask your clinic for help.',
    'Сервер медкарт отказал в том, что запросил для вас сервер входа. Повторите попытку; если не поможет, обратитесь в клинику.',
  ),
} as const satisfies Partial<Record<Reason, MessageText>>;
