/** What the checks of a client require, in Russian and German, by the id of the check. */
export const clientVerdictTexts: Readonly<Record<string, readonly [russian: string, german: string]>> = {
  'no-patient-data-to-auth-server': [
    'Ничто из введённого в форму не доходит до сервера авторизации',
    'Nichts aus dem Formular erreicht den Autorisierungsserver',
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
  'authenticate-without-cred': [
    'Клиент отправляет authenticate без cred',
    'Der Client sendet authenticate ohne cred',
  ],
  'params-of-authenticate': [
    'В params у authenticate — exchangeToken текстом и patientProperties объектом',
    'Die params von authenticate haben exchangeToken als Text und patientProperties als Objekt',
  ],
  'exchange-token-as-given': [
    'Обменный токен в authenticate — тот, что сервер авторизации дал этому сеансу',
    'Das Austauschtoken von authenticate ist eines, das der Autorisierungsserver dieser Sitzung gab',
  ],
  'user-sign-as-given': [
    'user_sign в сообщении о связи выдан сервером ЭМК',
    'Ein user_sign in der Meldung einer Verknüpfung stammt vom EHR-Server',
  ],
  'user-sign-of-own-link': [
    'user_sign, который идёт со входом, принадлежит этому человеку и связи, которая ещё действует',
    'Das user_sign, das eine Anmeldung mitbringt, gehört zur Person und zu einer bestehenden Verknüpfung',
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
