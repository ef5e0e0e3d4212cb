/** The reasons that the authorization server alone gives. English, Russian, German. */
import type { Reason } from '#protocol/wire/errors.ts';
import { type MessageText, message } from './language.ts';

export const signInReasonTexts = {
  otp_wrong: message(
    ['That code is not right', 'Код неверный', 'Dieser Code stimmt nicht'],
    'Please check the newest message and enter its code again.',
    'Посмотрите последнее сообщение и введите код из него.',
    'Bitte sehen Sie in der neuesten Nachricht nach und geben Sie deren Code ein.',
  ),
  otp_expired: message(
    ['That code is too old', 'Код устарел', 'Dieser Code ist zu alt'],
    'A code works for a few minutes only. Please ask for a new one.',
    'Код действует лишь несколько минут. Запросите новый.',
    'Ein Code gilt nur einige Minuten. Bitte fordern Sie einen neuen an.',
  ),
  otp_exhausted: message(
    ['Too many wrong codes', 'Слишком много неверных кодов', 'Zu viele falsche Codes'],
    'For your safety this code no longer works. Please ask for a new one.',
    'Для вашей безопасности этот код больше не действует. Запросите новый.',
    'Zu Ihrer Sicherheit gilt dieser Code nicht mehr. Bitte fordern Sie einen neuen an.',
  ),
  otp_throttled: message(
    ['A code is on its way', 'Код уже в пути', 'Ein Code ist unterwegs'],
    'A code was sent a moment ago. Please wait a little before you ask for another one.',
    'Код только что отправлен. Подождите немного, прежде чем запросить новый.',
    'Gerade wurde ein Code gesendet. Bitte warten Sie etwas, bevor Sie einen neuen anfordern.',
  ),
  otp_limit_reached: message(
    ['No more codes today', 'Кодов на сегодня больше нет', 'Heute keine Codes mehr'],
    'Too many codes were sent for today. Please try again tomorrow.',
    'Сегодня отправлено слишком много кодов. Попробуйте завтра.',
    'Heute wurden zu viele Codes gesendet. Bitte versuchen Sie es morgen wieder.',
  ),
  ehr_unreachable: message(
    [
      'The records server cannot be reached',
      'Сервер медкарт недоступен',
      'Der Aktenserver ist nicht erreichbar',
    ],
    'You did everything right, but the sign-in server could not reach the records server. Please try again in a moment.',
    'Вы всё сделали верно, но сервер входа не смог связаться с сервером медкарт. Повторите попытку чуть позже.',
    'Sie haben alles richtig gemacht, aber der Anmeldeserver konnte den Aktenserver nicht erreichen. Bitte versuchen Sie es gleich noch einmal.',
  ),
  ehr_timeout: message(
    ['The records server is slow', 'Сервер медкарт отвечает медленно', 'Der Aktenserver ist langsam'],
    'The records server did not answer the sign-in server in time. Please try again in a moment.',
    'Сервер медкарт не ответил серверу входа вовремя. Повторите попытку чуть позже.',
    'Der Aktenserver hat dem Anmeldeserver nicht rechtzeitig geantwortet. Bitte versuchen Sie es gleich noch einmal.',
  ),
  ehr_bad_reply: message(
    ['The records server has a problem', 'На сервере медкарт неполадка', 'Der Aktenserver hat ein Problem'],
    'The sign-in server could not understand the answer of the records server. Please try again in a moment.',
    'Сервер входа не понял ответа сервера медкарт. Повторите попытку чуть позже.',
    'Der Anmeldeserver konnte die Antwort des Aktenservers nicht verstehen. Bitte versuchen Sie es gleich noch einmal.',
  ),
  ehr_refused: message(
    ['The records server said no', 'Сервер медкарт отказал', 'Der Aktenserver hat abgelehnt'],
    'The records server refused what the sign-in server asked for you. Please try again; if it happens again, ask your clinic for help.',
    'Сервер медкарт отказал в том, что запросил для вас сервер входа. Повторите попытку; если не поможет, обратитесь в клинику.',
    'Der Aktenserver hat abgelehnt, was der Anmeldeserver für Sie verlangt hat. Bitte versuchen Sie es erneut; hilft das nicht, bitten Sie Ihre Klinik um Hilfe.',
  ),
} as const satisfies Partial<Record<Reason, MessageText>>;
