/** What the page says when no answer of a server could be used. English, Russian. */
import type { ServerName } from '../calls.ts';
import { type Language, type MessageText, message } from './language.ts';

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

type Unusable = 'unexplained' | 'unreachable' | 'timeout' | 'nonsense' | 'tooFast' | 'http';

export const failureTexts: Readonly<Record<Unusable, MessageText>> = {
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
