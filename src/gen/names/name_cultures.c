/* name_cultures.c: the sounds of six styles of names, and the words that no name may contain. */
#include "name_cultures.h"

/* In the order of mw_name_cultures, which has "none" before them. Initials begin with an empty
   one. */
const struct name_culture name_cultures[NAME_CULTURES] = {
    /* nordic */
    {
        .initials = " b br d f fr g gr h hr j k kj kr l m n r s sk sn st sv t th tr v",
        .vowels = "a e i o u y ei",
        .links = "d g k l m n r s v t",
        .medials = "d g k l m n r s v dr gn ld lf lm lst nd ng nn rd rg rk rm rn rs rsk rth sk "
                   "ss st tt vn lh rh nh lv rv",
        .endings = "a e ald ang ar ard ark avn eid eim en er ey ik ir olm or orn ost um und all "
                   "erg oy",
        .impossible = "yy kji kjy ji jy",
        .long_of_8 = 1,
    },
    /* latin */
    {
        .initials = " b c cl cr d f fl g gr l m n p pl pr r s sc st t tr v",
        .vowels = "a e i o u",
        .links = "b c d g l m n p r s t v",
        .medials = "b c d g l m n p r s t v br ct lb ll lt lv mb mp nc nd nn nt rc rd rn rr rt "
                   "rv ss st str tr x",
        .endings = "a ae ans ax ea ens eus ia io is ium ix o or um us",
        .impossible = "uu",
        .long_of_8 = 4,
    },
    /* slavic */
    {
        .initials = " b br ch d dr g gr k kr l m n p pr r s sl sm st t tr v vl z zl",
        .vowels = "a e i o u",
        .links = "b d g k l m n r s t v z",
        .medials = "b ch d g k l m n p r s t v z br dn gr ld lg ln mn nd rd rk rn sk sl sn st vn "
                   "zd zn bl sh",
        .endings = "a ak ansk ar ast e ek el ensk ev ich ik in insk ir o ol ov ovsk uk itz ets",
        .impossible = "chich skansk skensk skinsk skovsk",
        .long_of_8 = 3,
    },
    /* japanese */
    {
        .initials = " b ch d f g h j k m n r s sh t ts w y",
        .vowels = "a e i o u",
        .links = "b ch g h k m n r s sh t ts y z",
        .medials = "b ch d g h j k m n r s sh t ts w y z kk mb nd ng nk nj ns nz tt",
        .endings = "a ai an e ei en i in o on u",
        .impossible = "si ti tu hu zi di du wu wi we wo yi ye fa fi fe fo she che tsa tsi tse "
                      "tso je",
        .long_of_8 = 6,
    },
    /* polynesian */
    {
        .initials = " f h k l m n p r t v",
        .vowels = "a e i o u ai au oa",
        .links = "h k l m n ng p r t v",
        .medials = "f h k l m n ng p r t v",
        .endings = "a ai au e ea i ia o oa u ua",
        .impossible = "vu fu",
        .long_of_8 = 5,
    },
    /* persian */
    {
        .initials = " b d f g gh h j k kh l m n p q r s sh t v y z",
        .vowels = "a e i o u",
        .links = "b d f h k l m n r s sh t v z",
        .medials = "b d f g h j k kh l m n r s sh t v z bd ft hr lm md mr nd rd rj rm rs rv rz "
                   "sht st",
        .endings = "a ad am an and ar ash ast azd eh i in ir iz un ush ur",
        .impossible = "yi ii",
        .long_of_8 = 3,
    },
};

/* English, German, French, Spanish, Italian. */
const char *const name_blocklist[26] = {
    "abruti anal anus arsch arse ass",
    "bastard batard bimbo bitch bite bollock boob bordel bougnoul bugger",
    "cabron caca cagna cago cazz chatte chier chink chiott clit cock cogl coit cojon colon con "
    "coon coul cretin cul cum cunt",
    "damn darkie depp devil dick dildo dumm dyke",
    "enfoir esclav",
    "fag fanny fart fasc fick figa foll fotz foutr fregn frocio fuck fuhrer furz",
    "geil genocid gilipoll gook gouin guarra",
    "heil hell hitler hoden homo hooker horny hur",
    "idiot imbecil incest",
    "jap jerk jihad joder jud",
    "kack kanak kike kill kkk klan kotze kraut",
    "lesb lolita",
    "maric marran mastur merd mierda mignott minch mong morte mosl mut",
    "nazi neger negr nig nutt",
    "orgas orgi",
    "pajer paki pecker ped pendej pene penis perver phall pimmel pip pirl pis polla poop porc "
    "porn prick pube puff pun pus put",
    "queer",
    "ramera rap raton recchion rectum retard",
    "sado salop satan sau scheis schlamp schwanz schwuchtel scop semen sex shag shit sklav slag "
    "slave slut sodom spast sperm spic stronz suck suicid",
    "terror teta tett tit tont toss trann troi turd twat",
    "urin",
    "vagin verg vio vulva",
    "wank whor wichs wix",
    "",
    "",
    "zoccol zorra",
};
