/** What the checks that can watch require, in Russian and German. */
import { clientVerdictTexts } from './client-verdicts.ts';

/** By the id of the check; English comes from the kit. A check that is not here is shown in English. */
export const verdictTexts: Readonly<Record<string, readonly [russian: string, german: string]>> = {
  'exchange-token-entropy': [
    'В обменных токенах не меньше 72 бит, которые нельзя угадать',
    'Die Austauschtokens enthalten mindestens 72 nicht erratbare Bits',
  ],
  'session-token-entropy': [
    'В токенах сеансов не меньше 72 бит, которые нельзя угадать',
    'Die Sitzungstokens enthalten mindestens 72 nicht erratbare Bits',
  ],
  'call-is-post-json': [
    'Вызовы к серверу ЭМК — HTTP POST с телом JSON',
    'Aufrufe an den EHR-Server sind HTTP POST mit einem JSON-Rumpf',
  ],
  'call-path-has-version': [
    'Вызовы идут на базовый адрес, за которым следует версия',
    'Aufrufe gehen an die Basisadresse, gefolgt von der Version',
  ],
  envelope: [
    'В вызове есть jsonrpc "2.0", id, метод и params по именам',
    'Aufrufe enthalten jsonrpc "2.0", eine id, eine Methode und params mit Namen',
  ],
  'cred-present': [
    'В вызове есть cred, где user и token — строки',
    'Aufrufe enthalten cred mit user und token als Zeichenketten',
  ],
  'auth-info-complete': [
    'В authInfo user и token — строки, а ttl — целое число',
    'authInfo hat user und token als Zeichenketten und ttl als ganze Zahl',
  ],
  'ttl-sane': [
    'ttl — от одной минуты до десяти лет, в минутах',
    'ttl liegt zwischen einer Minute und zehn Jahren, in Minuten gezählt',
  ],
  'exchange-token-is-string': [
    'В save_exchange_token exchangeToken — строка',
    'save_exchange_token enthält exchangeToken als Zeichenkette',
  ],
  'no-internal-user-id': [
    'Внутреннего номера пользователя нет ни в одном вызове',
    'Kein Aufruf enthält die interne Nutzernummer',
  ],
  'only-internal-methods': [
    'Сервер авторизации не вызывает методы клиента: ни authenticate, ни get_patient',
    'Der Autorisierungsserver ruft keine Methode des Clients auf: weder authenticate noch get_patient',
  ],
  'calls-accepted': [
    'Вызовы, которые никто не портил намеренно, сервер ЭМК принимает',
    'Aufrufe, die niemand absichtlich stört, nimmt der EHR-Server an',
  ],
  'cred-user': [
    'cred.user — внутреннее имя пользователя сервера авторизации',
    'cred.user ist der interne Nutzername des Autorisierungsservers',
  ],
  'digest-shape': [
    'cred.token — 40 строчных шестнадцатеричных знаков',
    'cred.token besteht aus 40 kleinen Hexadezimalzeichen',
  ],
  'exchange-token-digest': [
    'cred.token в save_exchange_token — хеш внутреннего пароля и обменного токена',
    'cred.token von save_exchange_token ist der Hash über internes Passwort und Austauschtoken',
  ],
  'user-sign-digest': [
    'cred.token в save_auth_info — хеш внутреннего пароля и user_sign',
    'cred.token von save_auth_info ist der Hash über internes Passwort und user_sign',
  ],
  'own-user-sign': [
    'save_auth_info использует user_sign того самого пользователя, чей сеанс сохраняет',
    'save_auth_info nutzt das user_sign genau der Person, deren Sitzung es speichert',
  ],
  'secrets-not-in-clear': [
    'Внутренний пароль и user_sign никогда не передаются открыто',
    'Internes Passwort und user_sign gehen nie im Klartext über die Leitung',
  ],
  'tokens-in-body-alone': [
    'Токены сеансов и обменные токены стоят в теле вызова и больше нигде',
    'Sitzungs- und Austauschtokens stehen im Rumpf eines Aufrufs und nirgends sonst',
  ],
  'no-patient-data': [
    'Сервер авторизации не получает и не передаёт данные пациента',
    'Der Autorisierungsserver erhält keine Patientendaten und gibt keine weiter',
  ],
  'token-not-saved-for-two': [
    'Токен сохраняется на сервере ЭМК только для одного сеанса',
    'Ein Token wird beim EHR-Server für nur eine Sitzung gespeichert',
  ],
  'internal-secrets-not-to-client': [
    'Ни в одном ответе клиенту нет внутреннего пароля и хешей внутреннего канала',
    'Keine Antwort an einen Client enthält das interne Passwort oder einen Hash des internen Kanals',
  ],
  'server-survives': [
    'Сервер продолжает работать, что бы ни прислал клиент и что бы ни ответил сервер ЭМК',
    'Der Server läuft weiter, was auch immer ein Client sendet oder der EHR-Server antwortet',
  ],

  'outcomes-are-http-200': [
    'Любой исход вызова JSON-RPC, и ошибка тоже, — HTTP 200',
    'Jedes Ergebnis eines JSON-RPC-Aufrufs, auch ein Fehler, ist HTTP 200',
  ],
  'result-or-error': [
    'В каждом ответе есть jsonrpc "2.0" и либо result, либо error',
    'Jede Antwort hat jsonrpc "2.0" und entweder ein Ergebnis oder einen Fehler',
  ],
  'shape-of-errors': [
    'Ошибка — объект с целым числом code и сообщением',
    'Ein Fehler ist ein Objekt mit einer ganzen Zahl als code und einer Meldung',
  ],
  'errors-tell-no-secrets': [
    'Ни одна ошибка не повторяет токен, хеш, user_sign или данные пациента',
    'Kein Fehler wiederholt ein Token, einen Hash, ein user_sign oder Patientendaten',
  ],
  'replies-tell-nothing-of-others': [
    'Ни один ответ не выдаёт пользователя, токен, user_sign или карту другого человека',
    'Keine Antwort nennt Nutzer, Token, user_sign oder Akte einer anderen Person',
  ],

  ...clientVerdictTexts,
};
