/**
 * The scenarios in Russian and German; English comes from the console. One that is not here is shown in
 * English.
 */
type Translated = { readonly title: readonly [string, string]; readonly sentence: readonly [string, string] };

export const scenarioTexts: Readonly<Record<string, Translated>> = {
  'first-link': {
    title: ['Первая связь', 'Die erste Verknüpfung'],
    sentence: [
      'Новый пользователь связывает карту: данные пациента идут только серверу ЭМК, с обменным токеном.',
      'Ein neuer Nutzer verknüpft die Akte: Patientendaten gehen allein an den EHR-Server, mithilfe eines Austauschtokens.',
    ],
  },
  'returning-user': {
    title: ['Повторный вход', 'Ein Nutzer kehrt zurück'],
    sentence: [
      'Связанный пользователь входит снова, и сервер авторизации сразу сохраняет сеанс.',
      'Ein verknüpfter Nutzer meldet sich wieder an, und der Autorisierungsserver speichert die Sitzung sofort.',
    ],
  },
  twins: {
    title: ['Близнецы с одним телефоном', 'Zwillinge mit einem Telefon'],
    sentence: [
      'Имя решает, кто из двоих найден; другого этот пользователь связать уже не может.',
      'Der Vorname entscheidet, wer von beiden gefunden wird; einen anderen kann der Nutzer danach nicht verknüpfen.',
    ],
  },
  'token-in-time': {
    title: ['Обменный токен в последнюю секунду', 'Ein Austauschtoken in seiner letzten Sekunde'],
    sentence: [
      'За секунду до конца своих десяти минут обменный токен ещё действует.',
      'Eine Sekunde vor Ablauf seiner zehn Minuten gilt ein Austauschtoken noch.',
    ],
  },
  'token-expired': {
    title: ['Истёкший обменный токен', 'Ein abgelaufenes Austauschtoken'],
    sentence: [
      'Через десять минут обменный токен отклоняется, а новый действует.',
      'Nach zehn Minuten wird ein Austauschtoken abgelehnt, und ein neues gilt.',
    ],
  },
  'session-expired': {
    title: ['Истёкший сеанс', 'Eine abgelaufene Sitzung'],
    sentence: [
      'Через сутки сеанс отклоняется; связь остаётся, и следующий вход ведёт к карте.',
      'Nach einem Tag wird die Sitzung abgelehnt; die Verknüpfung bleibt, und die nächste Anmeldung führt zur Akte.',
    ],
  },
  namesakes: {
    title: ['Тёзки', 'Namensvetterinnen'],
    sentence: [
      'Два пациента совпадают во всём, поэтому не найден ни один; ответ не говорит, что их двое.',
      'Zwei Patientinnen gleichen sich in allem, also wird keine gefunden; die Antwort verrät nicht, dass es zwei sind.',
    ],
  },
  'no-correspondence': {
    title: ['Нет записи в таблице соответствий', 'Kein Eintrag in der Zuordnungstabelle'],
    sentence: [
      'Сервер ЭМК связывает пользователя, а сервер авторизации не знает для сеанса внутреннего пользователя.',
      'Der EHR-Server verknüpft den Nutzer, und der Autorisierungsserver kennt für die Sitzung keinen internen Nutzer.',
    ],
  },
  'wrong-code': {
    title: ['Неверный код', 'Ein falscher Code'],
    sentence: [
      'Код не из сообщения ничего не подтверждает; верный по-прежнему действует.',
      'Ein Code, der nicht in der Nachricht steht, bestätigt nichts; der richtige gilt weiterhin.',
    ],
  },
  'save-reply-lost': {
    title: ['Ответ на сохранение потерян', 'Die Antwort auf ein Speichern geht verloren'],
    sentence: [
      'Сервер ЭМК записал сеанс, но ответ потерян; второе сообщение о нём — не ошибка.',
      'Der EHR-Server speichert die Sitzung, seine Antwort geht verloren; eine zweite Meldung ist kein Fehler.',
    ],
  },
  logout: {
    title: ['Выход', 'Abmelden'],
    sentence: [
      'Сеанс заканчивается сначала на сервере ЭМК и только потом на сервере авторизации.',
      'Die Sitzung endet zuerst beim EHR-Server und erst dann beim Autorisierungsserver.',
    ],
  },
  disconnect: {
    title: ['Отключение карты', 'Die Akte trennen'],
    sentence: [
      'Связь исчезает вместе с подписью и всеми сеансами; следующий вход карты не находит.',
      'Die Verknüpfung verschwindet samt Signatur und allen Sitzungen; die nächste Anmeldung findet keine Akte.',
    ],
  },
};
