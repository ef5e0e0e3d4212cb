/** For every failure of a call a sentence that a patient understands, in each language, and the way on. */
import type { Reason } from '#protocol/wire/errors.ts';
import type { Failure, ServerName } from '../calls.ts';
import { type Language, type Row, textIn } from './texts.ts';

/** Offered beside the sentence: the same call again, a corrected input, a new code, or logging out. */
export type Way = 'retry' | 'correct' | 'new-code' | 'log-out';

export type Message = { title: string; text: string };

/** Returns the way to continue after any failure. */
export function wayAfter(failure: Failure): Way {
  return failure.kind === 'refused' && failure.reason ? WAYS[failure.reason] : 'retry';
}

/** The message for any failure. Without a reason that is in the table, it says what is certain. */
export function failureMessage(failure: Failure, language: Language = 'en'): Message {
  const { title, text } = textOf(failure);
  const values = {
    ...serverWords[language][failure.server],
    ...(failure.kind === 'http' && { status: failure.status }),
  };
  return { title: textIn(language, title, values), text: textIn(language, text, values) };
}

function textOf(failure: Failure): MessageText {
  switch (failure.kind) {
    case 'refused':
      return failure.reason ? reasonTexts[failure.reason] : failureTexts.unexplained;
    case 'http':
      return failure.status === 429 ? failureTexts.tooFast : failureTexts.http;
    default:
      return failureTexts[failure.kind];
  }
}

const WAYS: Readonly<Record<Reason, Way>> = {
  parse_error: 'retry',
  invalid_request: 'retry',
  method_not_found: 'retry',
  invalid_params: 'correct',
  internal_error: 'retry',
  not_authorized: 'log-out',
  session_expired: 'log-out',
  exchange_token_unknown: 'retry',
  exchange_token_expired: 'retry',
  exchange_token_exhausted: 'correct',
  too_many_failed_matches: 'correct',
  access_forbidden: 'retry',
  patient_already_matched: 'correct',
  patient_not_matched: 'correct',
  token_already_stored: 'log-out',
  exchange_token_already_stored: 'retry',
  user_unknown: 'retry',
  patient_already_linked: 'log-out',
  otp_wrong: 'correct',
  otp_expired: 'new-code',
  otp_exhausted: 'new-code',
  otp_throttled: 'correct',
  otp_limit_reached: 'correct',
  ehr_unreachable: 'retry',
  ehr_timeout: 'retry',
  ehr_bad_reply: 'retry',
  ehr_refused: 'retry',
};

/** The places of a text that name a server, such as `{AtServer}` at the beginning of a sentence. */
export type ServerWords = Record<'server' | 'Server' | 'toServer' | 'atServer' | 'AtServer', string>;

const words = (server: string, toServer: string, atServer: string): ServerWords => ({
  server,
  Server: capital(server),
  toServer,
  atServer,
  AtServer: capital(atServer),
});

export const serverWords: Readonly<Record<Language, Record<ServerName, ServerWords>>> = {
  en: {
    auth: words('the sign-in server', 'to the sign-in server', 'at the sign-in server'),
    ehr: words('the records server', 'to the records server', 'at the records server'),
  },
  ru: {
    auth: words('сервер входа', 'на сервер входа', 'на сервере входа'),
    ehr: words('сервер медкарт', 'на сервер медкарт', 'на сервере медкарт'),
  },
};

/** A message to the reader, in every language. */
type MessageText = { readonly title: Row; readonly text: Row };

function message(title: Row, ...text: Row): MessageText {
  return { title, text };
}

const NOT_THROUGH: Row = ['That did not get through', 'Запрос не дошёл'];
const NOT_AVAILABLE: Row = ['Not available here', 'Здесь недоступно'];
const TOO_MANY: Row = ['Too many attempts', 'Слишком много попыток'];
const ONCE_MORE: Row = ['Please send your details once more', 'Отправьте данные ещё раз'];

/** `{server}`, `{toServer}` and `{atServer}` stand for the server that refused. */
const reasonTexts: Readonly<Record<Reason, MessageText>> = {
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
  parse_error: message(
    NOT_THROUGH,
    'The message to {server} was damaged on its way. Please try again.',
    'Запрос {toServer} повредился в пути. Повторите попытку.',
  ),
  invalid_request: message(
    NOT_THROUGH,
    'The message to {server} was not in the form it expects. Please try again; if it happens again, reload this page.',
    'Запрос {toServer} пришёл не в той форме. Повторите попытку; если не поможет, обновите страницу.',
  ),
  method_not_found: message(
    NOT_AVAILABLE,
    'This app and {server} do not fit together: it does not offer what you asked for. Please tell your clinic.',
    'Приложение и {server} не подходят друг другу: запрошенного там нет. Сообщите об этом в клинику.',
  ),
  invalid_params: message(
    ['Please check what you entered', 'Проверьте введённое'],
    'Something you entered is not in the form {server} accepts. Please check it and try again.',
    'Что-то введено в форме, которую {server} не принимает. Проверьте и повторите попытку.',
  ),
  internal_error: message(
    ['Something went wrong', 'Что-то пошло не так'],
    'Something went wrong at {server}. It is not your fault. Please try again in a moment.',
    'Произошёл сбой {atServer}. Вы ни при чём. Повторите попытку чуть позже.',
  ),
  not_authorized: message(
    ['You are not signed in there', 'Вы там не вошли'],
    'Nobody is signed in at {server} with this session. Try again, or log out and sign in again.',
    'В этом сеансе {atServer} никто не вошёл. Повторите попытку или выйдите и войдите снова.',
  ),
  session_expired: message(
    ['Your session has ended', 'Сеанс закончился'],
    'For your safety a session lasts only so long. Please sign in again.',
    'Для вашей безопасности сеанс ограничен по времени. Войдите снова.',
  ),
  exchange_token_unknown: message(
    ONCE_MORE,
    'The one-time pass for your details was no longer accepted. A new one will be used when you send them again.',
    'Разовый пропуск для ваших данных больше не принят. При новой отправке будет другой.',
  ),
  exchange_token_expired: message(
    ONCE_MORE,
    'More than ten minutes have passed, so the one-time pass for your details has run out. A new one will be used when you send them again.',
    'Прошло больше десяти минут, и разовый пропуск для ваших данных истёк. При новой отправке будет другой.',
  ),
  exchange_token_exhausted: message(
    TOO_MANY,
    'Your details did not fit several times. Please check each of them, or ask your clinic what is written in your record. A new one-time pass will be used when you send them again.',
    'Данные несколько раз не подошли. Проверьте каждое поле или узнайте в клинике, что записано в карте. При новой отправке будет другой разовый пропуск.',
  ),
  too_many_failed_matches: message(
    TOO_MANY,
    'Details like these did not fit many times. For safety no more are tried for now. Please wait an hour, or ask your clinic what is written in your record.',
    'Такие данные не подошли много раз. Ради безопасности проверка приостановлена. Подождите час или узнайте в клинике, что записано в карте.',
  ),
  access_forbidden: message(
    NOT_AVAILABLE,
    'At this address {server} does not serve this app. Please tell your clinic.',
    'По этому адресу {server} приложение не обслуживает. Сообщите об этом в клинику.',
  ),
  patient_already_matched: message(
    ['Your account belongs to another record', 'С вашей учётной записью связана другая карта'],
    'You have already connected a different record. Enter the details of that record, or ask your clinic for help.',
    'Вы уже подключили другую карту. Введите данные той карты или обратитесь в клинику.',
  ),
  patient_not_matched: message(
    ['We could not find your record', 'Мы не нашли вашу медкарту'],
    'No single record fits these details. Please check the spelling, the date of birth and the phone number your clinic knows, and try again.',
    'Нет ровно одной карты с такими данными. Проверьте написание, дату рождения и номер, который знает клиника, и повторите попытку.',
  ),
  token_already_stored: message(
    ['Please sign in again', 'Войдите снова'],
    'This sign-in was used before and cannot open your record. Log out, then sign in with a new code.',
    'Этот вход уже использован и не откроет карту. Выйдите и войдите с новым кодом.',
  ),
  exchange_token_already_stored: message(
    ONCE_MORE,
    'The one-time pass for your details was used before. Please try again.',
    'Разовый пропуск для ваших данных уже использован. Повторите попытку.',
  ),
  user_unknown: message(
    ['Your account could not be found', 'Учётная запись не найдена'],
    'The sign-in server has no entry that connects you to a record. Please try again, or ask your clinic for help.',
    'На сервере входа нет записи, которая связывает вас с картой. Повторите попытку или обратитесь в клинику.',
  ),
  patient_already_linked: message(
    ['This record is already connected', 'Эта карта уже подключена'],
    'This record is connected to another account. If that account is yours, sign in with it; if not, please tell your clinic.',
    'Карта подключена к другой учётной записи. Если она ваша, войдите с ней; если нет, сообщите в клинику.',
  ),
};

type Unusable = 'unexplained' | 'unreachable' | 'timeout' | 'nonsense' | 'tooFast' | 'http';

const failureTexts: Readonly<Record<Unusable, MessageText>> = {
  unexplained: message(
    ['That was refused', 'Отказано'],
    '{Server} refused this without saying why. Please try again.',
    '{Server} отказал без объяснения причин. Повторите попытку.',
  ),
  unreachable: message(
    ['{Server} cannot be reached', '{Server} недоступен'],
    'It does not answer, or the connection to it is broken. You did nothing wrong. Please try again in a moment.',
    'Он не отвечает, или связь с ним прервана. Вы ни при чём. Повторите попытку чуть позже.',
  ),
  timeout: message(
    ['{Server} is slow', '{Server} отвечает медленно'],
    'It did not answer within ten seconds. Please try again.',
    'За десять секунд ответа не было. Повторите попытку.',
  ),
  nonsense: message(
    ['{Server} has a problem', '{Server} ответил непонятно'],
    'Its answer could not be understood. Please try again in a moment.',
    'Его ответ не удалось разобрать. Повторите попытку чуть позже.',
  ),
  tooFast: message(
    ['A little too fast', 'Слишком часто'],
    '{Server} asks for a pause. Please wait a minute, then try again.',
    '{Server} просит о паузе. Подождите минуту и повторите попытку.',
  ),
  http: message(
    ['{Server} has a problem', '{Server} ответил ошибкой'],
    'It answered with an error (HTTP {status}). Please try again in a moment.',
    'Он ответил ошибкой (HTTP {status}). Повторите попытку чуть позже.',
  ),
};

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
