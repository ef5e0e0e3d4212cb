/** What the checks of a client require, in Russian and German, by the id of the check. */
export const clientVerdictTexts: Readonly<Record<string, readonly [russian: string, german: string]>> = {
  'no-patient-data-to-auth-server': [
    'Ничто из введённого в форму не доходит до сервера авторизации',
    'Nichts aus dem Formular erreicht den Autorisierungsserver',
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
    'Каждый вызов сервера ЭМК — HTTP POST, тело — один объект JSON',
    'Jeder Aufruf des EHR-Servers ist ein HTTP POST mit einem JSON-Objekt als Rumpf',
  ],
  'json-declared': ['У каждого вызова тип содержимого JSON', 'Jeder Aufruf hat den Inhaltstyp von JSON'],
  'refusals-not-to-auth-server': [
    'То, что сервер ЭМК говорит о форме, не доходит до сервера авторизации',
    'Was der EHR-Server zu einem Formular sagt, erreicht den Autorisierungsserver nicht',
  ],
  'no-record-to-auth-server': [
    'Ничто из карты не доходит до сервера авторизации',
    'Nichts aus der Akte erreicht den Autorisierungsserver',
  ],
  'version-in-path': [
    'Вызовы идут на базовый адрес сервера ЭМК, сразу за которым стоит версия',
    'Aufrufe gehen an die Basisadresse des EHR-Servers, direkt gefolgt von der Version',
  ],
  'jsonrpc-member': [
    'В каждом вызове сервера ЭМК есть jsonrpc со строкой 2.0',
    'Jeder Aufruf des EHR-Servers hat das Feld jsonrpc mit der Zeichenkette 2.0',
  ],
  'ids-of-calls': ['У каждого вызова сервера ЭМК есть id', 'Jeder Aufruf des EHR-Servers hat eine id'],
  'methods-are-texts': [
    'В каждом вызове сервера ЭМК метод назван текстом',
    'Jeder Aufruf des EHR-Servers nennt seine Methode als Text',
  ],
  'calls-to-auth-server': [
    'Каждый вызов сервера авторизации — POST с запросом JSON-RPC 2.0, у которого есть id',
    'Jeder Aufruf des Autorisierungsservers ist ein POST einer JSON-RPC-2.0-Anfrage mit einer id',
  ],
  'methods-known': [
    'Клиент вызывает методы протокола, каждый на своём сервере',
    'Der Client ruft die Methoden des Protokolls auf, jede an ihrem Server',
  ],
  'report-with-user-sign': [
    'В сообщении о связи есть user_sign',
    'Die Meldung einer Verknüpfung hat ein user_sign',
  ],
  'properties-complete': [
    'В authenticate есть name, surname, date и phone',
    'authenticate hat name, surname, date und phone',
  ],
  'ids-differ-in-an-action': [
    'У одновременных вызовов и у разных вызовов одного действия id разные',
    'Gleichzeitige und verschiedene Aufrufe einer Handlung haben verschiedene ids',
  ],
  'ended-values-not-sent-again': [
    'Использованный код и завершённый сеанс больше не отправляются',
    'Ein benutzter Code und eine beendete Sitzung werden nicht wieder gesendet',
  ],
  'methods-of-clients': [
    'Клиент не вызывает методов внутреннего канала, а authenticate — только на сервере ЭМК',
    'Der Client ruft keine Methode des internen Kanals auf, und authenticate allein am EHR-Server',
  ],
  'params-by-name': [
    'Параметры вызова сервера ЭМК стоят в params по именам',
    'Die Parameter eines Aufrufs des EHR-Servers stehen mit Namen in params',
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
    'user_sign в сообщении о связи выдан сервером ЭМК',
    'Ein user_sign in der Meldung einer Verknüpfung stammt vom EHR-Server',
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
