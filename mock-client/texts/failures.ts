/** What the page says when no answer of a server could be used. English, Russian, German. */
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
  de: {
    auth: words('der Anmeldeserver', 'an den Anmeldeserver', 'beim Anmeldeserver'),
    ehr: words('der Aktenserver', 'an den Aktenserver', 'beim Aktenserver'),
  },
};

type Unusable = 'unexplained' | 'unreachable' | 'timeout' | 'nonsense' | 'tooFast' | 'http';

export const failureTexts: Readonly<Record<Unusable, MessageText>> = {
  unexplained: message(
    ['That was refused', 'Отказано', 'Das wurde abgelehnt'],
    '{Server} refused this without saying why. Please try again.',
    '{Server} отказал без объяснения причин. Повторите попытку.',
    '{Server} hat das ohne Begründung abgelehnt. Bitte versuchen Sie es erneut.',
  ),
  unreachable: message(
    ['{Server} cannot be reached', '{Server} недоступен', '{Server} ist nicht erreichbar'],
    'It does not answer, or the connection to it is broken. You did nothing wrong. Please try again in a moment.',
    'Он не отвечает, или связь с ним прервана. Вы ни при чём. Повторите попытку чуть позже.',
    'Er antwortet nicht, oder die Verbindung zu ihm ist unterbrochen. Es liegt nicht an Ihnen. Bitte versuchen Sie es gleich noch einmal.',
  ),
  timeout: message(
    ['{Server} is slow', '{Server} отвечает медленно', '{Server} ist langsam'],
    'It did not answer within ten seconds. Please try again.',
    'За десять секунд ответа не было. Повторите попытку.',
    'Innerhalb von zehn Sekunden kam keine Antwort. Bitte versuchen Sie es erneut.',
  ),
  nonsense: message(
    ['{Server} has a problem', '{Server} ответил непонятно', '{Server} hat ein Problem'],
    'Its answer could not be understood. Please try again in a moment.',
    'Его ответ не удалось разобрать. Повторите попытку чуть позже.',
    'Die Antwort war nicht zu verstehen. Bitte versuchen Sie es gleich noch einmal.',
  ),
  tooFast: message(
    ['A little too fast', 'Слишком часто', 'Etwas zu schnell'],
    '{Server} asks for a pause. Please wait a minute, then try again.',
    '{Server} просит о паузе. Подождите минуту и повторите попытку.',
    '{Server} bittet um eine Pause. Bitte warten Sie eine Minute und versuchen Sie es dann erneut.',
  ),
  http: message(
    ['{Server} has a problem', '{Server} ответил ошибкой', '{Server} hat ein Problem'],
    'It answered with an error (HTTP {status}). Please try again in a moment.',
    'Он ответил ошибкой (HTTP {status}). Повторите попытку чуть позже.',
    'Er hat mit einem Fehler geantwortet (HTTP {status}). Bitte versuchen Sie es gleich noch einmal.',
  ),
};

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
