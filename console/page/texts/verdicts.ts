/**
 * What the checks that can watch require, in Russian and German, by the id of the check; English comes from
 * the kit. A check that is not here is shown in English.
 */
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
  'call-says-json': [
    'Заголовок вызова к серверу ЭМК говорит, что тело — JSON',
    'Aufrufe an den EHR-Server bezeichnen ihren Rumpf als JSON',
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
    'Сервер авторизации не вызывает методы, которые принадлежат клиенту',
    'Der Autorisierungsserver ruft keine Methode auf, die dem Client gehört',
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
  'ids-differ': [
    'У вызовов, которые идут одновременно, разные id',
    'Aufrufe, die gleichzeitig unterwegs sind, haben verschiedene ids',
  ],
  'token-not-saved-for-two': [
    'Токен сохраняется на сервере ЭМК только для одного сеанса',
    'Ein Token wird beim EHR-Server für nur eine Sitzung gespeichert',
  ],
  'taken-token-not-tried-again': [
    'Токен, который сервер ЭМК уже хранит, ему снова не посылают',
    'Ein Token, das der EHR-Server schon gespeichert hat, wird ihm nicht erneut gesendet',
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
  'errors-name-reason': [
    'В data ошибки причина названа постоянным именем',
    'data eines Fehlers nennt den Grund mit seinem festen Namen',
  ],
  'errors-are-sentences': [
    'data.errors, если он есть, — список предложений',
    'data.errors ist, wo vorhanden, eine Liste von Sätzen',
  ],
  'errors-tell-no-secrets': [
    'Ни одна ошибка не повторяет токен, хеш, user_sign или данные пациента',
    'Kein Fehler wiederholt ein Token, einen Hash, ein user_sign oder Patientendaten',
  ],
  'faults-have-json': [
    'У каждого сбоя транспорта есть тело JSON',
    'Jeder Transportfehler hat einen JSON-Rumpf',
  ],
  'replies-tell-nothing-of-others': [
    'Ни один ответ не выдаёт пользователя, токен, user_sign или карту другого человека',
    'Keine Antwort nennt Nutzer, Token, user_sign oder Akte einer anderen Person',
  ],

  'no-patient-data-to-auth-server': [
    'Ничто из введённого в форму и ничто из карты не доходит до сервера авторизации',
    'Nichts aus dem Formular und nichts aus der Akte erreicht den Autorisierungsserver',
  ],
  'exchange-token-to-ehr-server-alone': [
    'Клиент отдаёт обменный токен серверу ЭМК и больше никому',
    'Der Client gibt das Austauschtoken dem EHR-Server und niemandem sonst',
  ],
  'code-to-auth-server-alone': [
    'Клиент отдаёт код входа серверу авторизации и больше никому',
    'Der Client gibt den Anmeldecode dem Autorisierungsserver und niemandem sonst',
  ],
  'no-secrets-in-addresses': [
    'В адресе запроса нет токенов, подписей, кодов и данных пациента',
    'Keine Adresse einer Anfrage enthält Token, Signatur, Code oder Patientendaten',
  ],
  'no-secrets-in-headers': [
    'В заголовках запроса нет токенов, подписей, кодов и данных пациента',
    'Kein Header einer Anfrage enthält Token, Signatur, Code oder Patientendaten',
  ],
  'post-of-json': [
    'Каждый вызов — HTTP POST, тело — один объект JSON',
    'Jeder Aufruf ist ein HTTP POST mit einem JSON-Objekt als Rumpf',
  ],
  'json-declared': ['У каждого вызова тип содержимого JSON', 'Jeder Aufruf hat den Inhaltstyp von JSON'],
  'no-record-to-auth-server': [
    'Ничего из записи не попадает на сервер авторизации',
    'Nichts aus der Akte erreicht den Autorisierungsserver',
  ],
  'version-in-path': [
    'Вызовы идут на базовый адрес сервера ЭМК, сразу за которым стоит версия',
    'Aufrufe gehen an die Basisadresse des EHR-Servers, direkt gefolgt von der Version',
  ],
  'jsonrpc-member': [
    'В каждом вызове есть jsonrpc со строкой 2.0',
    'Jeder Aufruf hat das Feld jsonrpc mit der Zeichenkette 2.0',
  ],
  'ids-of-calls': ['У каждого вызова есть id', 'Jeder Aufruf hat eine id'],
  'ids-differ-in-an-action': [
    'У одновременных вызовов и у разных вызовов одного действия id разные',
    'Gleichzeitige und verschiedene Aufrufe einer Handlung haben verschiedene ids',
  ],
  'ended-values-not-sent-again': [
    'Использованный код и завершённый сеанс больше не отправляются',
    'Ein benutzter Code und eine beendete Sitzung werden nicht wieder gesendet',
  ],
  'methods-of-clients': [
    'Клиент вызывает методы клиента, каждый на своём сервере, и ни одного из внутреннего канала',
    'Der Client ruft die Methoden eines Clients auf, jede an ihrem Server, und keine des internen Kanals',
  ],
  'params-by-name': [
    'Параметры вызова стоят в params по именам',
    'Die Parameter eines Aufrufs stehen mit Namen in params',
  ],
  'cred-of-newest-session': [
    'В cred обоих удалений — user и token последнего входа',
    'Beide Entfernungen haben user und token der neuesten Anmeldung als cred',
  ],
  'cred-of-other-calls': [
    'В cred прочих вызовов сеанса — user и token последнего входа',
    'Alle weiteren Aufrufe einer Sitzung haben user und token der neuesten Anmeldung als cred',
  ],
  'known-members-to-auth-server': [
    'В cred и в params к серверу авторизации есть поля метода и никаких других',
    'Cred und params an den Autorisierungsserver haben die Felder der Methode und keine anderen',
  ],
  'authenticate-without-cred': [
    'Клиент отправляет authenticate без cred',
    'Der Client sendet authenticate ohne cred',
  ],
  'params-of-authenticate': [
    'В params у authenticate — exchangeToken текстом и patientProperties объектом',
    'Die params von authenticate haben exchangeToken als Text und patientProperties als Objekt',
  ],
  'search-strategy-known': [
    'Способ поиска, если он назван, — PHONE или MEDCARD с medCardId',
    'Eine Suchart, wo sie genannt ist, ist PHONE, oder MEDCARD mit einer medCardId',
  ],
  'exchange-token-as-given': [
    'Обменный токен в authenticate — тот, что сервер авторизации дал этому сеансу',
    'Das Austauschtoken von authenticate ist eines, das der Autorisierungsserver dieser Sitzung gab',
  ],
  'user-sign-as-given': [
    'В сообщении о связи есть user_sign, и любой отправленный user_sign выдал сервер ЭМК',
    'Die Meldung einer Verknüpfung hat ein user_sign, und jedes gesendete user_sign stammt vom EHR-Server',
  ],
  'exchange-token-used-once': [
    'Обменный токен, который после ответа больше не действует, снова не отправляют',
    'Ein Austauschtoken, das nach einer Antwort nicht mehr gilt, wird nicht erneut gesendet',
  ],
  'user-sign-of-own-link': [
    'user_sign, который идёт со входом, принадлежит этому человеку и связи, которая ещё действует',
    'Das user_sign, das eine Anmeldung mitbringt, gehört zur Person und zu einer bestehenden Verknüpfung',
  ],
  'user-sign-to-auth-server-alone': [
    'user_sign идёт только серверу авторизации, а не обратно серверу ЭМК',
    'Das user_sign geht allein an den Autorisierungsserver und nicht zurück an den EHR-Server',
  ],
  'date-of-birth-in-full-form': [
    'Дата рождения записана как YYYY-MM-DD hh:mm:ss.mmm',
    'Das Geburtsdatum ist als YYYY-MM-DD hh:mm:ss.mmm geschrieben',
  ],
  'removals-without-params': [
    'params обоих удалений — пустой объект',
    'Die params beider Löschungen sind ein leeres Objekt',
  ],
};
