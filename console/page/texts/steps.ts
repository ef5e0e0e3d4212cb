/**
 * The steps of the scenarios in Russian and German, by their English words, which come from the console. They
 * follow the name of the person who acts. A step that is not here is shown in English.
 */
export const stepTexts: Readonly<Record<string, readonly [russian: string, german: string]>> = {
  'signs in with the code that came to the phone': [
    'входит с кодом, который пришёл на телефон',
    'meldet sich mit dem Code an, der aufs Telefon kam',
  ],
  'asks for the record, and is refused: the EHR server has no session yet': [
    'запрашивает карту и получает отказ: у сервера ЭМК ещё нет сеанса',
    'fragt nach der Akte und wird abgelehnt: der EHR-Server hat noch keine Sitzung',
  ],
  'asks for an exchange token, which goes to the EHR server as well': [
    'запрашивает обменный токен; его получает и сервер ЭМК',
    'fragt nach einem Austauschtoken; es geht auch an den EHR-Server',
  ],
  'tells the EHR server alone who the patient is': [
    'сообщает только серверу ЭМК, кто пациент',
    'sagt allein dem EHR-Server, um welche Person es geht',
  ],
  'reports the link, so that the authorization server records the session': [
    'сообщает о связи, чтобы сервер авторизации записал сеанс',
    'meldet die Verknüpfung, damit der Autorisierungsserver die Sitzung festhält',
  ],
  'reads the record': ['читает карту', 'liest die Akte'],
  'waits for a minute': ['ждёт минуту', 'wartet eine Minute'],
  'tells the name of the other twin, and is refused': [
    'называет имя другого близнеца и получает отказ',
    'nennt den Namen des anderen Zwillings und wird abgelehnt',
  ],
  'waits until one second before the end': [
    'ждёт до последней секунды',
    'wartet bis eine Sekunde vor dem Ende',
  ],
  'waits for ten minutes': ['ждёт десять минут', 'wartet zehn Minuten'],
  'identifies too late, and is refused': [
    'называет пациента слишком поздно и получает отказ',
    'weist sich zu spät aus und wird abgelehnt',
  ],
  'waits for a day': ['ждёт сутки', 'wartet einen Tag'],
  'asks for the record, and is refused': [
    'запрашивает карту и получает отказ',
    'fragt nach der Akte und wird abgelehnt',
  ],
  'tells who the patient is, and is refused': [
    'сообщает, кто пациент, и получает отказ',
    'sagt, um welche Person es geht, und wird abgelehnt',
  ],
  'reports the link, and is refused': [
    'сообщает о связи и получает отказ',
    'meldet die Verknüpfung und wird abgelehnt',
  ],
  'enters a wrong code, then the right one': [
    'вводит неверный код, затем верный',
    'gibt einen falschen Code ein, dann den richtigen',
  ],
  'loses the next reply on the internal channel': [
    'теряет следующий ответ на внутреннем канале',
    'verliert die nächste Antwort auf dem internen Kanal',
  ],
  'reports the link': ['сообщает о связи', 'meldet die Verknüpfung'],
  'ends the session at the EHR server': [
    'завершает сеанс на сервере ЭМК',
    'beendet die Sitzung beim EHR-Server',
  ],
  'then ends it at the authorization server': [
    'затем завершает его на сервере авторизации',
    'beendet sie dann beim Autorisierungsserver',
  ],
  'disconnects at the EHR server': ['отключает карту на сервере ЭМК', 'trennt die Akte beim EHR-Server'],
};
